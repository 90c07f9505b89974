"""What is deleted, damaged or edited by hand after a run is made again by the next."""

from __future__ import annotations

import os
from itertools import cycle

import pytest

from tests.unit.test_altered import cut_off, edited_in_secret, made_a_folder
from tests.workflow.checkout import SMOKE, Checkout, Finished, contents
from tests.workflow.test_reruns import RENDERING, REPORTING

# A file of each kind, and the rule that makes it.
KINDS = {
    "records/graphs.json": "trace_graphs",
    "records/lora.json": "gather_parts",
    "records/fusion/cpu.json": "measure_fusion",
    "parts/pruning/l1.0.json": "prune_model",
    "tables/values.csv": "make_tables",
    "figures/lora_accuracy.svg": "draw_figures",
    "report/claims.json": "judge_claims",
    "report/report.html": "render_html",
    "report/report.pdf": "render_pdf",
}


@pytest.mark.parametrize(
    ("lost", "planned"),
    [
        ("records/graphs.json", {"trace_graphs": 1} | REPORTING),
        ("tables/values.csv", {"make_tables": 1, "draw_figures": 1} | RENDERING),
        ("figures/lora_accuracy.svg", {"draw_figures": 1} | RENDERING),
        ("report/claims.json", {"judge_claims": 1} | RENDERING),
        ("report/report.html", RENDERING),
    ],
)
def test_what_is_deleted_is_made_again(
    finished_run: Finished, lost: str, planned: dict[str, int]
) -> None:
    with finished_run.without(f"results/smoke/{lost}"):
        assert finished_run.planned() == planned


def test_what_is_damaged_is_kept_aside_and_made_again(finished_copy: Checkout) -> None:
    results = finished_copy.folder / "results" / "smoke"
    damages = zip(KINDS, cycle((cut_off, edited_in_secret, made_a_folder)), strict=False)
    for name, damage in damages:
        damage(results / name)
    before = contents(results)

    # Two plan at once.
    said = [finished_copy.folder.parent / f"{number}.log" for number in range(2)]
    plans = [finished_copy.start(log, "snakemake", "-n", "--nolock", *SMOKE) for log in said]
    assert [plan.wait() for plan in plans] == [0, 0]

    both = "".join(log.read_text() for log in said)
    for name in KINDS:
        assert both.count(f"results/smoke/{name} is not as it was made") == 1
        assert (results / f"{name}.altered").exists()
    after = {name.replace(".altered", ""): kept for name, kept in contents(results).items()}
    assert after == before, "nothing else has changed"
    assert set(KINDS.values()) <= finished_copy.planned().keys()


def test_a_damaged_build_is_built_again(finished_copy: Checkout) -> None:
    (library,) = (finished_copy.folder / "results/build").rglob("*.so")
    cut_off(library)
    assert finished_copy.planned()["build_mxint_cuda"] == 1


def test_files_that_others_leave_in_snakemakes_folder_end_no_command(
    finished_copy: Checkout,
) -> None:
    for folder in ("metadata", "incomplete", "log"):
        (finished_copy.folder / ".snakemake" / folder).mkdir(exist_ok=True)
        (finished_copy.folder / ".snakemake" / folder / ".nfs0001").write_text("?")
        (finished_copy.folder / ".snakemake" / folder / "DS_Store").write_text("?")
    assert finished_copy.planned() == {}
    done = finished_copy.run("python", "scripts/estimate.py", "--cores", "4", *SMOKE)
    assert "Not known" not in done.stdout and done.returncode == 0, done.stdout
    done = finished_copy.run("python", "scripts/make_draft.py", *SMOKE)
    assert "No record is missing or out of date" in done.stdout


def test_after_a_clock_that_was_set_back_nothing_is_set_aside(finished_copy: Checkout) -> None:
    for file in (finished_copy.folder / "results" / "smoke").rglob("*.*"):
        os.utime(file, (0, 0))
    said = finished_copy.run("snakemake", "-n", *SMOKE).stdout
    assert "is not as it was made" not in said
