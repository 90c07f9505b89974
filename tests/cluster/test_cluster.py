"""On a real SLURM cluster: each kind of job runs, and whatever goes wrong is said and mended.

After each fault one more command finishes.
"""

import signal
import subprocess
from pathlib import Path

from tests.checkout import wait_until
from tests.cluster.labs import (
    CURVES,
    MODEL,
    SEARCHED,
    TIMED,
    TRAINED,
    OnCluster,
    finishes,
    forget,
    running,
    submitted,
)
from tests.cluster.slurm import CORES

EVALUATIONS = "results/studies/evaluations"

# Enough for most jobs, but not for one that imports torch.
TOO_LITTLE = "mem_mb=100 * attempt ** 5"


def test_every_kind_of_job_runs(labs: OnCluster) -> None:
    more = ("--slurm-array-jobs", "train_lora")
    done = labs.make(CURVES, SEARCHED, TIMED, *TRAINED, more=more)
    assert done.returncode == 0, done.stdout
    (timed,) = submitted("measure_fusion")
    assert timed[1:4] == ["COMPLETED", "NO", str(CORES)], "the node is not its own"
    assert '"node": "its own"' in (labs.folder / TIMED).read_text()
    trained = submitted("train_lora")
    assert len(trained) == len(TRAINED)
    assert len({job[0].split("_")[0] for job in trained}) == 1, "not one submission"
    assert not submitted("fetch_reviews"), "nodes may have no way to the internet"


def test_a_job_without_enough_memory_is_tried_again_and_another_run_goes_on(
    labs: OnCluster, tmp_path: Path
) -> None:
    forget(labs, MODEL, TIMED)
    output = tmp_path / "said"
    with labs.started(TIMED, output=output) as other:
        wait_until(lambda: running("measure_fusion"), output)
        done = labs.make(MODEL, more=("--set-resources", f"train_base_model:{TOO_LITTLE}"))
        assert other.wait(240) == 0, output.read_text()
    assert done.returncode == 0, done.stdout
    states = [job[1] for job in submitted("train_base_model")[-2:]]
    assert states[0] != "COMPLETED" and states[1] == "COMPLETED"
    assert "Trying to restart job" in done.stdout
    assert "cancels" not in done.stdout, "the jobs of a run that lives"


def test_a_timing_job_is_not_tried_again_and_its_end_is_explained(labs: OnCluster) -> None:
    forget(labs, TIMED)
    before = len(submitted("measure_fusion"))
    done = labs.make(TIMED, more=("--set-resources", f"measure_fusion:{TOO_LITTLE}"))
    assert done.returncode != 0
    assert len(submitted("measure_fusion")) == before + 1
    assert "SLURM: calls rule_measure_fusion_wildcards_cpu" in done.stdout
    assert "xceeded memory limit" in done.stdout.split("SLURM: calls")[1]
    assert not (labs.folder / TIMED).exists()


def test_a_cancelled_job_fails_with_its_name(labs: OnCluster, tmp_path: Path) -> None:
    forget(labs, TIMED)
    output = tmp_path / "said"
    with labs.started(TIMED, output=output) as process:
        wait_until(lambda: running("measure_fusion"), output)
        subprocess.run(["scancel", *running("measure_fusion")], check=True)
        assert process.wait(240) != 0
    assert "SLURM: calls rule_measure_fusion_wildcards_cpu" in output.read_text()
    assert "CANCELLED" in output.read_text().split("SLURM: calls")[1]


def test_more_cores_than_a_node_has_are_refused_and_the_key_is_named(labs: OnCluster) -> None:
    forget(labs, TIMED)
    done = labs.make(TIMED, more=("--cores", str(CORES + 1)))
    assert done.returncode != 0
    assert "CPU count per node can not be satisfied" in done.stdout
    assert "set cores, runtime or slurm_partition in the profile, or the job-memory" in done.stdout


def test_jobs_of_a_killed_run_are_cancelled_and_a_search_loses_no_trial(
    labs: OnCluster, tmp_path: Path
) -> None:
    forget(labs, SEARCHED)
    for file in (labs.folder / EVALUATIONS).glob("*"):
        file.unlink()
    slow = labs.folder / "slow.yaml"
    slow.write_text("presets: {smoke: {search: {epochs: 30}}}\n")
    more = ("--configfile", slow.name)
    output = tmp_path / "said"
    with labs.started(SEARCHED, output=output, more=more):
        wait_until(lambda: running("search_architectures"), output)
    labs.run("snakemake", "--unlock")
    # The job goes on: two of three architectures are left when the next run starts.
    wait_until(lambda: list((labs.folder / EVALUATIONS).glob("*.json")), output)
    assert running("search_architectures")
    known = {path: path.stat().st_mtime_ns for path in (labs.folder / EVALUATIONS).glob("*.json")}
    said = finishes(labs, SEARCHED, more)
    assert "cancels 1 jobs of an earlier run that was killed: rule_search_architectures" in said, (
        said
    )
    assert all(path.stat().st_mtime_ns == when for path, when in known.items()), "tried again"


def test_an_interrupted_run_leaves_no_job_and_no_lock(labs: OnCluster, tmp_path: Path) -> None:
    forget(labs, TIMED)
    output = tmp_path / "said"
    with labs.started(TIMED, output=output) as process:
        wait_until(lambda: running("measure_fusion"), output)
        process.send_signal(signal.SIGINT)
        process.wait(300)
    wait_until(lambda: not running("measure_fusion"), output)
    finishes(labs, TIMED)
