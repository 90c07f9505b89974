"""Faults that SLURM sees after minutes: pytest tests/cluster/slow_faults.py"""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cluster.labs import MODEL, TIMED, OnCluster, finishes, forget, running, wait_until
from tests.cluster.slurm import ask


def test_a_job_that_takes_too_long_is_explained(labs: OnCluster) -> None:
    forget(labs, TIMED)
    slow = labs.folder / "slow.yaml"
    slow.write_text("presets: {smoke: {processes: 60}}\n")
    done = labs.make(TIMED, more=("--configfile", slow.name), runtime="1")
    assert done.returncode != 0
    assert "TIMEOUT" in done.stdout.split("SLURM: calls")[1]
    finishes(labs, TIMED)


def test_a_job_whose_node_goes_down_runs_elsewhere(labs: OnCluster, tmp_path: Path) -> None:
    forget(labs, MODEL)
    output = tmp_path / "said"
    process = labs.start(MODEL, output=output)
    wait_until(lambda: running("train_base_model"), output)
    (job,) = running("train_base_model")
    (node,) = ask("squeue", "-h", "-j", job, "-o", "%N")
    down = f"nodename={node} state=down reason=test"
    subprocess.run(["scontrol", "update", *down.split()], check=True)
    try:
        assert process.wait(400) == 0, output.read_text()
    finally:
        # Refused if the node has come back by itself.
        subprocess.run(["scontrol", "update", f"nodename={node}", "state=resume"])
    finishes(labs, TIMED)
