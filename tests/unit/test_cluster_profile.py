"""On a cluster, every timing job asks for an exclusive node."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

WORKFLOW = Path(__file__).parents[2] / "workflow"


def test_timing_jobs_and_no_others_are_exclusive() -> None:
    rules = "".join(path.read_text() for path in (WORKFLOW / "rules").rglob("*.smk"))
    bodies = re.findall(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", rules, flags=re.M | re.S)
    alone = {name for name, body in bodies if "\n    threads: ALONE\n" in body}
    profile = yaml.safe_load((WORKFLOW / "profiles" / "slurm" / "config.yaml").read_text())
    assert alone
    assert set(profile["set-resources"]) == alone
