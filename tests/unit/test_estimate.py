"""What is estimated from the durations that jobs have left, and what is not."""

from pathlib import Path

import pytest

from estimate import estimate
from labs.setup.durations import Run, keep
from labs.setup.plan import Job, job_of

LOG = "logs/quick/train_lora/0.log"
TRAIN = "scripts/train_lora.py --layers 2 --reason 'two words'"


def job(shell: str) -> Job:
    """A job as the plugin hears of it."""
    told = {"rule_name": "train_lora", "rule_msg": "Training", "threads": 2, "shellcmd": shell}
    return job_of({**told, "input": ["tokens"], "output": ["record"], "log": [LOG]})


def test_a_duration_is_known_for_the_same_command_whatever_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep(Run(["scripts/train_lora.py", "--layers", "2", "--reason", "two words"], 0, 3600), LOG)
    shell = "\n PYTHONPATH=x python scripts/run_unchanged.py {} {} {}    2>&1 | tee {}\n"
    same = job(shell.format(LOG, "aaaa", TRAIN, LOG))
    other = job(shell.format(LOG, "aaaa", TRAIN.replace("2", "6"), LOG))
    assert (same.seconds, other.seconds) == (3600, 0)
    assert estimate([same, other], 4, [1]).splitlines() == [
        "Jobs: 2, 1 of them with a recorded duration",
        "Core-hours of these 1 jobs: 2.00",
        "Wall time of these 1 jobs on 1 x 4 cores: 1.00 h",
        "Not known, as no such job has run here with these sizes: train_lora (1)",
    ]
    assert estimate([other], 4, [1]).splitlines() == [
        "Jobs: 1, 0 of them with a recorded duration",
        "Not known, as no such job has run here with these sizes: train_lora (1)",
    ]
