"""Records from other machines are all shown, or what is wrong with their folder is named."""

import sys
from pathlib import Path

import pytest

from labs.setup.config import ConfigError
from labs.setup.machines import NAME, recorded
from reporting.stylesheet import characters


@pytest.fixture
def machines(tmp_path: Path) -> Path:
    """A folder with one machine, which has two records."""
    for name in ("fusion/cpu.json", "graphs.json"):
        path = tmp_path / "machines" / "big node" / "records" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    return tmp_path / "machines"


def test_every_record_is_found(machines: Path, tmp_path: Path) -> None:
    names = [Path(path).relative_to(machines).as_posix() for path in recorded(machines)]
    assert names == ["big node/records/fusion/cpu.json", "big node/records/graphs.json"]
    assert recorded(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("path", "what"),
    [
        ("stray.json", "is no folder of a machine"),
        (".hidden/records/a.json", "has a name that starts with a dot"),
        ("This Machine/records/a.json", "has the name of the machine on which"),
        ("big node/a.json", "is no record in its machine's folder records"),
        ("big node/records/notes.txt", "is no record in its machine's folder records"),
        ("実験室/records/a.json", r"has '\\u5b9f' in its name, which no font of the report has"),
        ("caf\udce9/records/a.json", r"has '\\udce9' in its name"),
        ("linked", "linked is no folder of a machine"),
        ("big node/records/linked", "linked is a link"),
        ("big node/linked.json", "linked.json is a link"),
    ],
)
def test_what_is_not_a_machines_record_is_refused(machines: Path, path: str, what: str) -> None:
    file = machines / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if "linked" in path:
        file.symlink_to(machines / "big node")
    else:
        file.write_text("{}")
    with pytest.raises(ConfigError, match=what):
        recorded(machines)


def test_the_fonts_have_what_a_name_may_have() -> None:
    allowed = set(filter(NAME.fullmatch, map(chr, range(sys.maxunicode))))
    assert allowed > set("node-7 (Büro) Ω Ж")
    assert allowed <= characters(Path("report/fonts"))
