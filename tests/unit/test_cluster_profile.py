"""On a cluster, every timing job asks for an exclusive node, and every search for its memory."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

WORKFLOW = Path(__file__).parents[2] / "workflow"


def bodies() -> dict[str, str]:
    """The text of each rule, by name."""
    rules = "".join(path.read_text() for path in (WORKFLOW / "rules").rglob("*.smk"))
    return dict(re.findall(r"^rule (\w+):\n(.*?)(?=^\S|\Z)", rules, flags=re.M | re.S))


def test_timing_jobs_and_no_others_are_exclusive() -> None:
    alone = {name for name, body in bodies().items() if "\n    threads: ALONE\n" in body}
    profile = yaml.safe_load((WORKFLOW / "profiles" / "slurm" / "config.yaml").read_text())
    assert alone
    assert set(profile["set-resources"]) == alone


def test_jobs_that_search_ask_for_memory() -> None:
    searching = {name for name, body in bodies().items() if "--studies " in body}
    asking = {name for name, body in bodies().items() if "\n        mem_mb=" in body}
    assert searching
    assert searching <= asking
