"""A run is kept whole, and compared with the next by two programs and one page."""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from labs.analysis.statistics import Estimate
from labs.analysis.tables import tables
from labs.claims.judge import judge
from labs.comparison import ComparisonError
from labs.comparison.numbers import Number, Pair
from labs.comparison.run import gather, keep, kept, place
from labs.records.reading import read
from labs.records.record import write
from reporting.comparison import change
from tests.report.evidence import FIGURE
from tests.unit import synthetic

ROOT = Path(__file__).parents[2]


def program(name: str, results: Path) -> subprocess.CompletedProcess[str]:
    """Run a program on the results of a preset."""
    command = [sys.executable, f"scripts/{name}.py", "--results", str(results)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def report(results: Path, figure: str = FIGURE, **measured: Any) -> Path:
    """Write what a run leaves that measured fusion alone; the report's pages are empty."""
    path = results / "records" / "fusion" / "cpu.json"
    finished = measured.pop("finished", "2026-01-01T00:01:00+00:00")
    spec = measured.pop("spec", {})
    record = synthetic.fusion(**measured)
    write({**record, "finished": finished, "spec": {**record["spec"], **spec}}, path)
    for folder in ("tables", "figures", "report"):
        (results / folder).mkdir(exist_ok=True)
    evidence = os.path.relpath(path, ROOT)
    for name, table in tables({evidence: read(path)}, {evidence: "snakemake"}).items():
        (results / "tables" / f"{name}.csv").write_text(table.to_csv(index=False))
    (results / "report" / "claims.json").write_text(json.dumps(judge(path, ROOT, "this machine")))
    (results / "report" / "report.pdf").touch()
    (results / "figures" / "sweep.svg").write_text(figure)
    (results / "figures" / "sweep.json").write_text('{"alt": "A line that rises."}')
    (results / "figures" / "same.svg").write_text(FIGURE)
    (results / "figures" / "same.json").write_text('{"alt": "Another."}')
    return results


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.fixture
def accepted(tmp_path: Path) -> Path:
    """The results of a run that was accepted."""
    results = report(tmp_path / "results" / "quick")
    keep(gather(results), place(results))
    return results


def test_what_is_kept_is_read_back_as_it_was(accepted: Path) -> None:
    run = gather(accepted)
    keep(run, place(accepted))
    assert kept(place(accepted)) == run
    assert run.around["fusion, cpu"]["setting"]["rounds"] == "2"
    assert run.around["fusion, cpu"]["package"] == {"torch": "2"}
    assert "scripts/labs/analysis/tables.py" in run.around["make_tables"]["code"]
    assert sorted(run.figures) == ["same", "sweep"]


def test_accepting_replaces_what_was_accepted_and_leaves_nothing_else(accepted: Path) -> None:
    report(accepted, gains={"float32": 5.0}, finished="2026-01-02T00:00:00+00:00")
    done = program("accept_run", accepted)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Accepted: ")
    assert [path.name for path in place(accepted).parent.iterdir()] == ["run.json"]
    assert kept(place(accepted)).measured == "2026-01-02T00:00:00+00:00"
    assert "\nNothing changed.\n" in program("compare_runs", accepted).stdout


def test_without_a_report_nothing_is_accepted(tmp_path: Path) -> None:
    done = program("accept_run", tmp_path / "quick")
    assert done.returncode == 1
    remedy = "run make report PRESET=quick first"
    assert done.stderr == f"error: there is no report in {tmp_path}/quick/report: {remedy}\n"
    assert not list(tmp_path.iterdir())


def test_without_an_accepted_run_the_diff_names_the_remedy(tmp_path: Path) -> None:
    done = program("compare_runs", report(tmp_path / "results" / "smoke"))
    assert done.stdout == "No run of smoke is accepted yet: make accept PRESET=smoke keeps it\n"
    assert not (tmp_path / "results" / "smoke" / "report" / "diff.html").exists()


def test_a_report_that_lacks_a_record_is_not_whole(accepted: Path) -> None:
    (accepted / "records" / "fusion" / "cpu.json").unlink()
    with pytest.raises(
        ComparisonError, match="is not whole .*cpu.json.* run make report PRESET=quick"
    ):
        gather(accepted)


def test_a_record_newer_than_the_report_is_no_run(accepted: Path) -> None:
    path = accepted / "records" / "fusion" / "cpu.json"
    write({**read(path), "finished": "2026-01-02T00:00:00+00:00"}, path)
    with pytest.raises(ComparisonError, match="newer than the report: run make report"):
        gather(accepted)


@pytest.mark.parametrize("content", ["{", "[]", '{"taken": ""}'])
def test_a_kept_run_that_cannot_be_read_is_named_with_the_remedy(
    content: str, accepted: Path
) -> None:
    place(accepted).write_text(content)
    done = program("compare_runs", accepted)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {place(accepted)} cannot be read (")
    assert done.stderr.count("\n") == 1 and "run make accept" in done.stderr


def test_a_run_that_differs_is_printed_and_drawn(accepted: Path) -> None:
    drawn = FIGURE.replace("160 0", "160 20")
    later = {"finished": "2026-01-02T00:00:00+00:00", "spec": {"rounds": 9}}
    report(accepted, drawn, gains={"float32": 0.5, "bfloat16": 0.5, "float16": 2.0}, **later)
    done = program("compare_runs", accepted)
    assert done.returncode == 0, done.stderr
    assert "  setting rounds: 2 -> 9 (fusion, cpu)\n" in done.stdout
    assert re.search(
        r"attention.cpu.float32.\S+: confirmed 2.*-> refuted 0.5.*number moved", done.stdout
    )
    assert "Figures that differ: 1; the same: 1; new: 0, gone: 0\n" in done.stdout
    page = (accepted / "report" / "diff.html").read_text()
    assert page.count("<svg ") == 2, "only the figure that differs, old and new"
    assert page.index("160 0") < page.index("160 20"), "the old one stands on the left"
    assert "attention.cpu.float32.fused.speedup" in page


@pytest.mark.parametrize(
    ("old", "new", "unit", "words"),
    [
        (2.0, 0.5, "ratio", "0.250×"),
        (0.010, 0.0125, "s", "1.25×"),
        (0.80, 0.83, "share", "+3.00 points"),
        (0.83, 0.80, "share", "−3.00 points"),
        (4_386_178, 4_386_179, "count", "+1"),
        (4096, 1024, "bytes", "−3.00\u202fKiB"),
        (0.0, 2.0, "s", "+2.00\u202fs"),
    ],
)
def test_a_change_is_a_factor_or_a_difference(
    old: float, new: float, unit: str, words: str
) -> None:
    first, second = (
        Number(Estimate(one, math.nan, math.nan), unit, "r.json") for one in (old, new)
    )
    assert change(Pair("a", first, second)) == words


def test_the_page_is_self_contained(accepted: Path) -> None:
    program("compare_runs", accepted)
    page = (accepted / "report" / "diff.html").read_text()
    assert not re.search(r"<(script|link|iframe|object)\b|@import", page)
    assert all(url.startswith("data:") for url in re.findall(r'url\(["\']?([^"\')]*)', page))
    assert "Nothing changed" in page
