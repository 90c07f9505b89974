"""A study of 2,000 jobs is planned in seconds: pytest tests/workflow/slow_scale.py"""

from __future__ import annotations

import time

import pytest

from tests.workflow.checkout import SMOKE, Checkout

# Every training seed is a dozen jobs of the compression labs.
MANY = "presets: {smoke: {compression: {seeds: 150}}}\n"
LEAST_JOBS = 2000
DAG_SECONDS, DRY_RUN_SECONDS = 20, 30


@pytest.mark.parametrize(
    ("option", "allowed"), [("--dag", DAG_SECONDS), ("--dry-run", DRY_RUN_SECONDS)]
)
def test_two_thousand_jobs_are_planned_in_seconds(
    fresh: Checkout, option: str, allowed: int
) -> None:
    with fresh.edited("config.yaml", ""):
        many = fresh.temporary / "many.yaml"
        many.write_text(MANY)
        began = time.monotonic()
        done = fresh.run("snakemake", option, "--configfile", str(many), *SMOKE)
        took = time.monotonic() - began
    assert done.returncode == 0, done.stdout
    print(f"{option}: {took:.1f} s")
    assert took < allowed
