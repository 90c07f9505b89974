"""On a cluster, timing jobs ask for a node each, jobs on CUDA for a GPU, and all for memory."""

import re
from pathlib import Path

import yaml

WORKFLOW = Path(__file__).parents[2] / "workflow"
CONFIG = WORKFLOW.parent / "config.yaml"


def rules(folder: str = "rules") -> dict[str, str]:
    """The text of each rule in the files of a folder, by name, with what it takes from another."""
    text = "".join(path.read_text() for path in sorted((WORKFLOW / folder).rglob("*.smk")))
    start = r"^(?:use rule (\w+) as|rule|checkpoint) (\w+)(?: with)?:\n"
    found: dict[str, dict[str, str]] = {}
    for base, name, body in re.findall(rf"{start}(.*?)(?=^\S|\Z)", text, flags=re.M | re.S):
        own = dict(re.findall(r"^    (\w+:)(.*?)(?=^    \w|\Z)", body, flags=re.M | re.S))
        inherited = found.get(base, {})
        params = inherited.get("params:", "") + own.get("params:", "")
        found[name] = inherited | own | {"params:": params}
    return {
        name: "".join(f"{key}{text}" for key, text in parts.items())
        for name, parts in found.items()
    }


def having(text: str) -> set[str]:
    """The names of the rules that have this text."""
    return {name for name, body in rules().items() if text in body}


def test_timing_jobs_and_no_others_have_a_node_for_themselves_and_are_not_repeated() -> None:
    alone = having("threads: ALONE\n")
    assert alone
    assert having("slurm_extra=EXCLUSIVE,") == alone
    assert having("retries: 0\n") == alone


def test_jobs_ask_for_a_gpu_if_their_device_is_one() -> None:
    trained = having('"device")')
    per_device = having("device=one_of(PRESENT),") - having("gpu=0,")
    assert trained and per_device
    assert having("gpu=TRAINING_GPUS,") == trained
    assert having("gpu=gpus_of,") == per_device


def test_each_job_of_an_experiment_asks_for_the_memory_of_one() -> None:
    experiments = yaml.safe_load(CONFIG.read_text())["presets"]["quick"]["memory"]
    asked = {
        name: re.findall(r"mem_mb=memory_of\(\"(.+)\"\)", body)
        for name, body in rules("rules/experiments").items()
    }
    assert all(len(names) == 1 for names in asked.values()), asked
    assert {name for (name,) in asked.values()} == experiments.keys()
