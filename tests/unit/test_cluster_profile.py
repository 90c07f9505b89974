"""On a cluster, timing jobs ask for a node each, jobs on CUDA for a GPU, and all for memory."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

WORKFLOW = Path(__file__).parents[2] / "workflow"
CONFIG = WORKFLOW.parent / "config.yaml"


def rules(folder: str = "rules") -> dict[str, str]:
    """The text of each rule in the files of a folder, by name."""
    text = "".join(path.read_text() for path in (WORKFLOW / folder).rglob("*.smk"))
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


def test_each_job_of_an_experiment_asks_for_the_memory_of_one() -> None:
    experiments = yaml.safe_load(CONFIG.read_text())["presets"]["quick"]["memory"]
    asked = {
        name: re.findall(r"^        mem_mb=memory_of\(\"(.+)\"\),$", body, flags=re.M)
        for name, body in rules("rules/experiments").items()
    }
    assert all(len(names) == 1 for names in asked.values()), asked
    assert {name for (name,) in asked.values()} == experiments.keys()
