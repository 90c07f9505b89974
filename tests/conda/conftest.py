"""A stand-in for conda and conda-forge, and a copy of the repository that uses it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conda.labs import WithConda, install, missing, packages
from tests.workflow.checkout import checkout

# All but build-cuda, which needs nvcc.
ENVIRONMENTS = ("report", "build", "measure", "train")


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where conda is installed, with what every environment can need."""
    if why := missing():
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("conda")
    install(folder, packages(*ENVIRONMENTS))
    return folder


@pytest.fixture(scope="session")
def labs(root: Path, tmp_path_factory: pytest.TempPathFactory) -> WithConda:
    """A copy in which nothing has run."""
    return WithConda(checkout(tmp_path_factory.mktemp("labs")).folder, root)
