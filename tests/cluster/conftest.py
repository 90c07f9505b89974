"""A SLURM cluster, and a copy of the repository that runs on it."""

from collections.abc import Iterator

import pytest

from tests.checkout import checkout
from tests.cluster.labs import OnCluster
from tests.cluster.slurm import Cluster, NoClusterError, missing


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    if why := missing():
        pytest.skip(why)
    found = Cluster(tmp_path_factory.mktemp("slurm"))
    try:
        found.start()
    except NoClusterError as error:
        pytest.skip(f"SLURM does not start here: {error}")
    yield found
    found.stop()


@pytest.fixture(scope="session")
def labs(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> OnCluster:
    """A copy whose data are there; every test makes what it needs."""
    copy = OnCluster(checkout(tmp_path_factory.mktemp("labs")).folder)
    done = copy.make("results/data/tokens.parquet", "results/data/encoder/model.safetensors")
    assert done.returncode == 0, done.stdout
    return copy
