"""Jobs in the environments that test_conda.py makes but does not use, here and on a SLURM cluster.

    pytest tests/conda/slow_environments.py

build-cuda is not among them: it needs nvcc, which is not installed in .venv.
"""

from __future__ import annotations

import pytest

from tests.cluster.conftest import cluster  # noqa: F401 - a fixture
from tests.cluster.labs import MODEL, TIMED, OnCluster, submitted
from tests.conda.labs import CONDA, WithConda


@pytest.mark.parametrize(("name", "target"), [("measure", TIMED), ("train", MODEL)])
def test_a_job_runs_in_its_environment(labs: WithConda, name: str, target: str) -> None:
    done = labs.make(target, CONDA)
    assert done.returncode == 0, done.stdout
    prefix = labs.prefix(name).relative_to(labs.folder)
    assert f"Activating conda environment: {prefix}" in done.stdout
    assert labs.planned(target, CONDA) == {}


@pytest.mark.usefixtures("cluster")
def test_a_job_of_a_cluster_runs_in_its_environment(labs: WithConda) -> None:
    (labs.folder / TIMED).unlink(missing_ok=True)
    done = labs.run(*OnCluster(labs.folder).command(TIMED, more=(CONDA,)))
    assert done.returncode == 0, done.stdout
    assert submitted("measure_fusion")[-1][1] == "COMPLETED"
    assert labs.planned(TIMED, CONDA) == {}
