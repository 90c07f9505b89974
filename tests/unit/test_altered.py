"""Which results are set aside: those that are not as they were written, and nothing else."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from labs.records.record import not_measured, write
from labs.setup import altered
from labs.setup.altered import set_aside


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


DAMAGES: list[Callable[[Path], object]] = [
    *(cut_off, edited_in_secret, made_a_folder),
    lambda file: file.write_text(""),
    lambda file: file.write_text("{}"),
]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path, Path]:
    """A record, a table, and the sums of the rule that made the table."""
    monkeypatch.chdir(tmp_path)
    record, table, sums = Path("records/a.json"), Path("tables/a.csv"), Path("sums/a.sha256")
    write(not_measured("fusion", "cpu", "a reason"), record)
    for folder in (table.parent, sums.parent):
        folder.mkdir()
    table.write_text("a,b\n1,2\n")
    sums.write_text(subprocess.check_output(["sha256sum", table], text=True))
    return record, table, sums


def test_what_is_as_it_was_made_stays(made: tuple[Path, Path, Path]) -> None:
    record, table, sums = made
    for path in made:
        os.utime(path, (0, 0))
    assert set_aside([record, Path("absent.json")], [sums]) == []
    table.unlink()
    assert set_aside([record], [sums]) == [], "what is deleted is Snakemake's affair"


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", [0, 1])
def test_what_is_damaged_is_set_aside(
    made: tuple[Path, Path, Path], which: int, damage: Callable[[Path], object]
) -> None:
    record, _, sums = made
    path = made[which]
    damage(path)
    (said,) = set_aside([record], [sums])
    assert said.startswith(f"{path} is not as it was made; it is kept as {path.name}.altered")
    assert not path.exists() and path.with_name(f"{path.name}.altered").exists()
    assert set_aside([record], [sums]) == []


def test_what_is_altered_again_is_kept_beside_what_was_altered_before(
    made: tuple[Path, Path, Path],
) -> None:
    record, _, sums = made
    for edit in ("first", "second"):
        record.write_text(edit)
        set_aside([record], [sums])
    kept = [record.with_name(f"{record.name}.{end}") for end in ("altered", "altered.2")]
    assert [path.read_text() for path in kept] == ["first", "second"]


def test_sums_that_are_being_written_condemn_nothing(made: tuple[Path, Path, Path]) -> None:
    record, table, sums = made
    whole = sums.read_text()
    for length in range(len(whole)):
        sums.write_text(whole[:length])
        assert set_aside([record], [sums]) == []
    assert table.exists() and table.parent.exists()


def test_another_run_that_is_planned_at_once_may_be_faster(
    made: tuple[Path, Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    record, table, sums = made
    cut_off(record)
    monkeypatch.setattr(altered, "_altered", lambda *_: iter([record, table]))
    record.rename("records/a.json.altered")
    (said,) = set_aside([record], [sums])
    assert said.startswith("tables/a.csv")
