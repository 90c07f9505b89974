"""What is not as it was made or built is set aside or built again, and nothing else."""

import hashlib
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.records.record import not_measured, write
from labs.setup import altered
from labs.setup.altered import quarantine_modified
from labs.setup.build import forget_damaged


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def edited_in_secret(file: Path) -> None:
    """A letter is another, and the time is the old one."""
    times = file.stat()
    file.write_bytes(file.read_bytes().replace(b"a", b"b", 1))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def made_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


Made = tuple[Path, Path, Path]
Damage = Callable[[Path], object]
DAMAGES: list[Damage] = [
    *(cut_off, edited_in_secret, made_a_folder),
    lambda file: file.write_text(""),
    lambda file: file.write_text("{}"),
]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    """A record, a table, and the sums of the rule that made the table."""
    monkeypatch.chdir(tmp_path)
    record, table, sums = Path("records/a.json"), Path("tables/a.csv"), Path("sums/a.sha256")
    write(not_measured("fusion", "cpu", "a reason"), record)
    for folder in (table.parent, sums.parent):
        folder.mkdir()
    table.write_text("a,b\n1,2\n")
    sums.write_text(subprocess.check_output(["sha256sum", table], text=True))
    return record, table, sums


def test_what_is_as_it_was_made_stays(made: Made) -> None:
    record, table, sums = made
    for path in made:
        os.utime(path, (0, 0))
    assert quarantine_modified([record, Path("absent.json")], [sums]) == []
    table.unlink()
    assert quarantine_modified([record], [sums]) == [], "what is deleted is Snakemake's affair"


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", [0, 1])
def test_what_is_damaged_is_set_aside(made: Made, which: int, damage: Damage) -> None:
    record, _, sums = made
    path = made[which]
    damage(path)
    (said,) = quarantine_modified([record], [sums])
    assert said.startswith(f"{path} is not as it was made; it is kept as {path.name}.altered")
    assert not path.exists() and path.with_name(f"{path.name}.altered").exists()
    assert quarantine_modified([record], [sums]) == []


def test_what_is_altered_again_is_kept_beside_the_first(made: Made) -> None:
    record, _, sums = made
    for edit in ("first", "second"):
        record.write_text(edit)
        quarantine_modified([record], [sums])
    kept = [record.with_name(f"{record.name}.{end}") for end in ("altered", "altered.2")]
    assert [path.read_text() for path in kept] == ["first", "second"]


def test_sums_that_are_being_written_condemn_nothing(made: Made) -> None:
    record, table, sums = made
    whole = sums.read_text()
    for length in range(len(whole)):
        sums.write_text(whole[:length])
        assert quarantine_modified([record], [sums]) == []
    assert table.exists() and table.parent.exists()


def test_another_run_that_is_planned_at_once_may_be_faster(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, table, sums = made
    cut_off(record)
    monkeypatch.setattr(altered, "_altered", lambda *_: iter([record, table]))
    record.rename("records/a.json.altered")
    (said,) = quarantine_modified([record], [sums])
    assert said.startswith("tables/a.csv")


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    """The manifest of a package of two files."""
    files = {"package/__init__.py": b"import lib", "package/lib.so": b"\x7fELF"}
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    path = tmp_path / "manifest.json"
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    path.write_text(json.dumps(hashes))
    return path


def test_an_intact_package_keeps_its_manifest_and_none_is_not_damaged(manifest: Path) -> None:
    assert forget_damaged(manifest) == ""
    assert manifest.exists()
    assert forget_damaged(manifest.with_name("none.json")) == ""


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        (lambda folder: (folder / "package/lib.so").unlink(), "package/lib.so"),
        (lambda folder: (folder / "package/lib.so").write_bytes(b""), "package/lib.so"),
        (lambda folder: (folder / "manifest.json").write_text("{"), "manifest.json"),
        (lambda folder: (folder / "manifest.json").write_text("[]"), "manifest.json"),
    ],
    ids=["deleted", "truncated", "no JSON", "no manifest"],
)
def test_a_damaged_package_is_forgotten(manifest: Path, damage: Damage, named: str) -> None:
    damage(manifest.parent)
    assert f"{named} is not as it was built; it is built again" in forget_damaged(manifest)
    assert not manifest.exists()
