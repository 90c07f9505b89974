"""What is estimated from the durations that Snakemake has kept, and what is not."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from estimate import estimate
from labs.setup.durations import commands, cores_of, recorded

TRAIN = "python scripts/run_unchanged.py {} scripts/train_lora.py --layers {} --threads 2"
DRY_RUN = f"""
[Sun Nov 22 07:43:42 2026]
Job 47: Training
Reason: Forced execution
Shell command:
        {TRAIN.format("aaaa", 2)}       2>&1 | tee log

DAG of jobs will be updated after completion.

[Sun Nov 22 07:43:42 2026]
Job 48: Training
Shell command:
        {TRAIN.format("aaaa", 6)} 2>&1 | tee log

"""


def keep(folder: Path, output: str, **kept: object) -> None:
    """Keep a job as Snakemake does: a file for each output."""
    folder.mkdir(exist_ok=True)
    name = base64.urlsafe_b64encode(output.encode()).decode()
    (folder / name).write_text(json.dumps({"input": [], **kept}))


def test_a_duration_is_known_for_the_same_command_whatever_its_code(tmp_path: Path) -> None:
    ran = f"\n   {TRAIN.format('bbbb', 2)} 2>&1 | tee log\n"
    for output in ("one", "two"):
        keep(tmp_path, output, shellcmd=ran, starttime=1000.0, endtime=4600.0)
    (tmp_path / "aGFsZg==").write_text('{"shellcmd": "pyth')
    keep(tmp_path, "never ended", shellcmd="python x.py", starttime=1000.0, endtime=None)
    known = recorded(tmp_path)
    assert estimate(commands(DRY_RUN), known, 4, [1]).splitlines() == [
        "Jobs: 2, 1 of them with a recorded duration",
        "Core-hours of these 1 jobs: 2.00",
        "Wall time of these 1 jobs on 1 x 4 cores: 1.00 h",
        "Not known, as no such job has run here with these sizes: train_lora (1)",
    ]


def test_the_duration_of_a_job_on_a_cluster_is_not_known(tmp_path: Path) -> None:
    # Snakemake keeps both when it sees the end, the end first.
    keep(tmp_path, "one", shellcmd="python x.py", starttime=1000.002, endtime=1000.001)
    assert recorded(tmp_path) == {}


def test_nothing_is_estimated_where_nothing_has_run(tmp_path: Path) -> None:
    lines = estimate(commands(DRY_RUN), recorded(tmp_path / "none"), 4, [1]).splitlines()
    assert lines[0] == "Jobs: 2, 0 of them with a recorded duration"
    assert len(lines) == 2 and "train_lora (2)" in lines[1]


@pytest.mark.parametrize(
    ("command", "cores"),
    [("x --threads 2 --seed 1", 2), ("x --threads all", None), ("x --seed 1", 1)],
)
def test_a_command_names_its_cores(command: str, cores: int | None) -> None:
    assert cores_of(command) == cores
