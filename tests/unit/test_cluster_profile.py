"""On a cluster, timing jobs ask for a node each, jobs on CUDA for a GPU, searches for memory."""

from __future__ import annotations

import re
from pathlib import Path

WORKFLOW = Path(__file__).parents[2] / "workflow"


def rules() -> dict[str, str]:
    """The text of each rule, by name."""
    text = "".join(path.read_text() for path in (WORKFLOW / "rules").rglob("*.smk"))
    return dict(
        re.findall(r"^(?:rule|checkpoint) (\w+):\n(.*?)(?=^\S|\Z)", text, flags=re.M | re.S)
    )


def having(*lines: str) -> set[str]:
    """The names of the rules that have all these lines."""
    return {name for name, body in rules().items() if set(lines) <= set(body.splitlines())}


def test_timing_jobs_and_no_others_have_a_node_for_themselves_and_are_not_repeated() -> None:
    alone = having("    threads: ALONE")
    assert alone
    assert having("        slurm_extra=EXCLUSIVE,") == alone
    assert having("    retries: 0") == alone


def test_jobs_ask_for_a_gpu_if_their_device_is_one() -> None:
    trained = having("        device=TRAINING_DEVICE,")
    per_device = having("        device=one_of(PRESENT),")
    assert trained and per_device
    assert having("        gpu=TRAINING_GPUS,") == trained
    assert having("        gpu=gpus_of,") == per_device


def test_jobs_that_search_ask_for_memory_and_for_more_when_repeated() -> None:
    searching = {name for name, body in rules().items() if "--studies " in body}
    asking = {name for name, body in rules().items() if "\n        mem_mb=growing(" in body}
    assert searching
    assert searching <= asking
