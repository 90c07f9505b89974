"""A stand-in for conda and conda-forge, and a copy of the repository that uses it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_path

import pytest

from tests.conda.labs import WithConda, install, missing, packages
from tests.workflow.checkout import checkout, strays

# All but build-cuda, which needs nvcc.
ENVIRONMENTS = ("report", "build", "measure", "train")


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where conda is installed, with what the environments need; gigabytes, deleted at the end."""
    if why := missing():
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("conda")
    install(folder, packages(*ENVIRONMENTS))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def labs(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[WithConda]:
    """A copy in which nothing has run, and whose environments are deleted at the end.

    Its user has packages in ~/.local.
    """
    copy = WithConda(checkout(tmp_path_factory.mktemp("labs")).folder, root)
    site = Path(get_path("purelib", "posix_user", {"userbase": str(copy.home / ".local")}))
    strays(site, "numpy")
    yield copy
    shutil.rmtree(copy.folder / ".snakemake" / "conda", ignore_errors=True)
