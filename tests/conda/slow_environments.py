"""Jobs in the environments that test_conda.py makes but does not use, here and on a SLURM cluster.

    tests/cluster/apart.sh pytest tests/conda/slow_environments.py

build-cuda is not among them: it needs nvcc, which is not installed in .venv.
"""

import pytest

from tests.cluster.conftest import cluster  # noqa: F401 - a fixture
from tests.cluster.labs import MODEL, TIMED, OnCluster, submitted
from tests.conda.labs import CONDA, WithConda


def activated(labs: WithConda, name: str) -> str:
    """What Snakemake says when a job enters an environment."""
    return f"Activating conda environment: {labs.prefix(name).relative_to(labs.folder)}"


@pytest.mark.parametrize(("name", "target"), [("measure", TIMED), ("train", MODEL)])
def test_a_job_runs_in_its_environment(labs: WithConda, name: str, target: str) -> None:
    done = labs.make(target, CONDA)
    assert done.returncode == 0, done.stdout
    assert activated(labs, name) in done.stdout


@pytest.mark.usefixtures("cluster")
def test_a_job_of_a_cluster_runs_in_its_environment(labs: WithConda) -> None:
    (labs.folder / TIMED).unlink(missing_ok=True)
    more = (CONDA, "--slurm-keep-successful-logs")
    done = labs.run(*OnCluster(labs.folder).command(TIMED, more=more))
    assert done.returncode == 0, done.stdout
    assert submitted("measure_fusion")[-1][1] == "COMPLETED"
    (log,) = (labs.folder / "logs" / "slurm").rglob("*.log")
    assert activated(labs, "measure") in log.read_text()
