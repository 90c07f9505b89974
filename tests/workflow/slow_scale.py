"""A run of 2,000 jobs is planned in seconds: pytest -s tests/workflow/slow_scale.py"""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.workflow.checkout import SMOKE, Checkout

# A training seed is 13 jobs of the labs on compression.
MANY = "presets: {smoke: {compression: {seeds: 150}}}\n"
LEAST_JOBS = 2000


@pytest.fixture
def many(tmp_path: Path) -> str:
    """A config file with which a run has that many jobs."""
    file = tmp_path / "many.yaml"
    file.write_text(MANY)
    return str(file)


def planned(fresh: Checkout, many: str, option: str) -> tuple[str, float]:
    """What Snakemake says of such a run, and the seconds until it ends."""
    began = time.monotonic()
    done = fresh.run("snakemake", option, "--configfile", many, *SMOKE)
    seconds = time.monotonic() - began
    assert done.returncode == 0, done.stdout
    print(f"snakemake {option}: {seconds:.1f} s")
    return done.stdout, seconds


def test_their_graph_is_built_in_20_seconds(fresh: Checkout, many: str) -> None:
    said, seconds = planned(fresh, many, "--dag")
    assert said.count("[label = ") >= LEAST_JOBS
    assert seconds < 20


def test_a_dry_run_takes_30_seconds(fresh: Checkout, many: str) -> None:
    said, seconds = planned(fresh, many, "--dry-run")
    total = re.search(r"^total +(\d+)$", said, flags=re.M)
    assert total and int(total[1]) >= LEAST_JOBS
    assert seconds < 30
