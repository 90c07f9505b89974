"""What is deleted, damaged or edited by hand after a run is made again by the next."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workflow.checkout import SMOKE, Checkout, Finished
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


def cut_off(file: Path) -> None:
    """As a full disk, or a copy that was broken off, leaves a file."""
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def edited_in_secret(file: Path) -> None:
    """Some digits are others, and the time is the old one."""
    times, text = file.stat(), file.read_bytes()
    file.write_bytes(text.translate(bytes.maketrans(b"37", b"73")))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def made_a_folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [cut_off, edited_in_secret, made_a_folder])
def test_what_is_damaged_is_kept_aside_and_made_again(
    finished_copy: Checkout, damage: Callable[[Path], None]
) -> None:
    results = finished_copy.folder / "results" / "smoke"
    for name in KINDS:
        damage(results / name)

    said = finished_copy.run("snakemake", "-n", *SMOKE).stdout

    for name in KINDS:
        assert f"results/smoke/{name} is not as it was made" in said
        assert (results / f"{name}.altered").exists()
    assert set(KINDS.values()) <= finished_copy.planned().keys()


def test_a_damaged_build_is_built_again(finished_copy: Checkout) -> None:
    (library,) = (finished_copy.folder / "results/build").rglob("*.so")
    cut_off(library)
    assert finished_copy.planned()["build_mxint_cuda"] == 1
