"""What the program that simulates a cluster reads from the profile, and what it prints."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

import simulate_cluster
from simulate_cluster import PROFILE, median_seconds, site_of
from tests.unit.test_schedule import job

ROOT = Path(__file__).parents[2]
ARGUMENTS = argparse.Namespace(cores=2, submitting=1.0, starting=5.0, dispatching=2.0)


@pytest.fixture
def profile(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(ROOT)
    read: dict[str, Any] = yaml.safe_load(PROFILE.read_text())
    return read


def test_the_rules_say_what_runs_where_snakemake_does(
    profile: dict[str, Any],
) -> None:
    site = site_of(ARGUMENTS, 3, profile)
    assert {"fetch_reviews", "render_pdf"} <= site.local
    assert not {"train_base_model", "measure_fusion"} & site.local


def test_a_run_takes_the_median_of_many_orders() -> None:
    # 3 + 6 s with the long job last, 6 s in the other orders.
    site = simulate_cluster.Site(1, cores=2, queueing=True)
    assert median_seconds([job(6), job(3), job(3)], site) == 6


def test_a_study_is_a_table_of_ways_to_run_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    journal = tmp_path / "grid.journal"
    kept = [{"seconds": 10.0}, *[{"asking": 0.0}] * 3]
    journal.write_text("".join(json.dumps({"user_attr": one}) + "\n" for one in kept))
    asked = ["study", "--cores", "2", "--nodes", "1", "--trials", "4", "--workers", "1", "2"]
    asked += ["--trials-per-job", "2", "--starting", "5", "--submitting", "0"]
    asked += ["--journals", str(journal), "--asked", str(journal)]
    monkeypatch.setattr(sys, "argv", ["simulate_cluster.py", *asked])
    simulate_cluster.main()
    lines = capsys.readouterr().out.splitlines()
    assert "| 1 | the ideal | 20 s | 1.00 |" in lines
    # Both end at 25 s; Snakemake looks after 10 s and after 30 s.
    assert "| 1 | 2 trials a job | 30 s | 1.50 |" in lines
    assert "| 1 | 2 workers | 30 s | 1.50 |" in lines
    # It ends at 45 s, and is seen at 60 s.
    assert "| 1 | 1 workers | 60 s | 3.00 |" in lines
