"""A run is kept whole, and a program prints what differs from it in the next."""

import json
import re
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import compare_runs
from labs.analysis.tables import tables
from labs.evaluation import evaluate
from labs.records.reading import read
from labs.records.record import write
from reporting import ReportError
from reporting.comparison.run import gather, keep, kept, place
from tests.unit.kept import timed

ROOT = Path(__file__).parents[2]
LATER = "2026-01-02T00:00:00+00:00"


def program(results: Path, *options: str) -> str:
    """What the program prints that is run on the results of a preset."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(StringIO()) as said:
        patch.setattr(sys, "argv", ["compare_runs.py", "--results", str(results), *options])
        compare_runs.main()
    return said.getvalue()


def report(
    results: Path, finished: str = "2026-01-01T00:01:00+00:00", slower: float = 1, **changes: Any
) -> Path:
    """Write what a run leaves that measured compilation alone; the report's pages are empty."""
    path = results / "records" / "compilation" / "cpu.json"
    record = {**timed("compilation/cpu", "compiled", slower), "finished": finished}
    write({**record, **{part: record[part] | changes[part] for part in changes}}, path)
    for folder in ("tables", "report"):
        (results / folder).mkdir(exist_ok=True)
    evidence, found = evaluate(path, ROOT)
    for name, table in tables({evidence: found}, {evidence: "snakemake"}).items():
        (results / "tables" / f"{name}.csv").write_text(table.to_csv(index=False))
    (results / "report" / "claims.json").write_text(
        json.dumps([claim.as_row() for claim in found.claims])
    )
    (results / "report" / "report.pdf").touch()
    return results


@pytest.fixture
def accepted(tmp_path: Path) -> Path:
    results = report(tmp_path / "results" / "quick")
    keep(gather(results), place(results))
    return results


def test_what_is_kept_is_read_back_as_it_was(accepted: Path) -> None:
    run = gather(accepted)
    assert kept(place(accepted)) == run
    assert run.facts["compilation.cpu"]["calls"] == "9"
    assert run.facts["machine"]["torch"] == "2.13.0+cpu"
    assert "scripts/labs/analysis/tables.py" in run.facts["code"]


def test_accepting_replaces_what_was_accepted_and_leaves_nothing_else(accepted: Path) -> None:
    report(accepted, finished=LATER, slower=0.6)
    assert program(accepted, "--accept").startswith("Accepted: ")
    assert [path.name for path in place(accepted).parent.iterdir()] == ["run.json"]
    said = program(accepted)
    assert f"the accepted run, until {LATER}" in said
    assert "\nNothing changed.\n" in said


def test_without_a_report_nothing_is_accepted(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        program(tmp_path / "quick", "--accept")
    remedy = "run make report PRESET=quick first"
    assert ended.value.code == f"error: there is no report in {tmp_path}/quick/report: {remedy}"
    assert not list(tmp_path.iterdir())


def test_without_an_accepted_run_the_remedy_is_named(tmp_path: Path) -> None:
    results = report(tmp_path / "results" / "smoke")
    said = "No run of smoke is accepted yet: make accept PRESET=smoke keeps it\n"
    assert program(results) == said


def test_a_report_with_a_newer_record_or_without_one_is_no_run(accepted: Path) -> None:
    path = accepted / "records" / "compilation" / "cpu.json"
    write({**read(path), "finished": LATER}, path)
    with pytest.raises(ReportError, match="newer than the report: run make report"):
        gather(accepted)
    path.unlink()
    with pytest.raises(ReportError, match="is not whole .*cpu.json.* run make report PRESET=quick"):
        gather(accepted)


@pytest.mark.parametrize("content", ["{", "[]", '{"claims": []}'])
def test_an_unreadable_kept_run_is_named_with_the_remedy(content: str, accepted: Path) -> None:
    place(accepted).write_text(content)
    with pytest.raises(SystemExit) as ended:
        program(accepted)
    said = str(ended.value.code)
    assert said.startswith(f"error: {place(accepted)} cannot be read (")
    assert "\n" not in said and "run make accept" in said


def test_a_run_that_differs_is_printed(accepted: Path) -> None:
    report(accepted, finished=LATER, slower=4, spec={"calls": 12})
    said = program(accepted)
    assert "  calls: 9 -> 12 (compilation.cpu)\n" in said
    assert re.search(r"corrected-faster: confirmed 1.30.*-> refuted 0.32.*\(moved: ", said)
    assert re.search(r"speedup: 1.3.*-> 0.32.* \(0.250×\)\n", said)
    assert "where the machines differ" not in said
    assert "Nothing changed" not in said


@pytest.mark.parametrize("field", ["cpu", "processor"])
def test_that_the_processors_differ_is_said_beside_what_moved(accepted: Path, field: str) -> None:
    report(accepted, finished=LATER, environment={field: "another one"})
    said = program(accepted)
    assert re.search(r"  machine: AMD EPYC .*, 2 cores -> .*another one.* \(machine\)\n", said)
    assert "beyond the noise of one machine, where the machines differ" in said


def test_a_real_run_does_not_differ_from_itself(folder: Path, tmp_path: Path) -> None:
    results = tmp_path / "quick"
    (results / "report").mkdir(parents=True)
    (results / "tables").symlink_to(folder / "tables")
    (results / "report" / "claims.json").symlink_to(folder / "claims.json")
    (results / "report" / "report.pdf").touch()
    program(results, "--accept")
    assert "\nNothing changed.\n" in program(results)
