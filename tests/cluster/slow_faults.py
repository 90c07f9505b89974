"""Faults that are tried by name: tests/cluster/apart.sh pytest tests/cluster/slow_faults.py"""

import shutil
import subprocess
import time
from pathlib import Path

from tests.checkout import checkout, wait_until
from tests.cluster.labs import (
    MODEL,
    TIMED,
    OnCluster,
    finishes,
    forget,
    has_gpu,
    running,
    submitted,
)
from tests.cluster.slurm import Cluster, ask


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
    with labs.started(MODEL, output=output) as process:
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


def test_a_disk_that_fills_up_is_named_and_with_room_it_goes_on(
    cluster: Cluster, tmp_path: Path
) -> None:
    disk, output = tmp_path / "disk", tmp_path / "said"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200m", "labs", str(disk)], check=True)
    try:
        copy = OnCluster(checkout(disk).folder)
        with copy.started(TIMED, output=output) as process:
            wait_until(lambda: running("measure_fusion"), output)
            (disk / "full").write_bytes(bytes(shutil.disk_usage(disk).free))
            assert process.wait(400) != 0
        assert "No space left on device" in output.read_text()
        assert not (copy.folder / TIMED).exists()
        (disk / "full").unlink()
        finishes(copy, TIMED)
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_jobs_wait_while_others_have_all_nodes(labs: OnCluster, tmp_path: Path) -> None:
    forget(labs, TIMED)
    theirs = ["--parsable", "--exclusive", "--nodes=2", "--mem=0", "--output=/dev/null", "--wrap"]
    done = subprocess.run(["sbatch", *theirs, "sleep 600"], stdout=subprocess.PIPE, check=True)
    output = tmp_path / "said"
    with labs.started(TIMED, output=output) as process:
        wait_until(lambda: running("measure_fusion", "PENDING"), output)
        # Long enough to be looked at twice by what cancels jobs that can never start.
        time.sleep(40)
        assert running("measure_fusion", "PENDING")
        subprocess.run(["scancel", done.stdout.decode().strip()], check=True)
        assert process.wait(400) == 0, output.read_text()


def test_a_job_on_cuda_gets_a_gpu_and_says_at_once_if_torch_sees_none(labs: OnCluster) -> None:
    (labs.folder / "partitions.yaml").write_text("partitions: {cpu: {}, gpu: {max_gpu: 1}}\n")
    both = ("--config", "preset=smoke", "devices=[cpu,cuda]")
    more = ("--slurm-partition-config", "partitions.yaml")
    done = labs.make(TIMED.replace("cpu", "cuda"), config=both, more=more)
    assert done.returncode != 0
    number, *_, partition, _ = submitted("measure_fusion")[-1]
    assert partition == "gpu"
    assert has_gpu(number)
    assert "error: --device cuda, but torch " in done.stdout.split("SLURM: calls")[1]


def test_a_job_that_can_never_start_ends_the_run_and_names_the_key(labs: OnCluster) -> None:
    forget(labs, TIMED)
    done = labs.make(TIMED, runtime="120")
    assert done.returncode != 0
    assert "SLURM: can never start rule_measure_fusion_wildcards_cpu" in done.stdout
    assert "set runtime or slurm_partition" in done.stdout
