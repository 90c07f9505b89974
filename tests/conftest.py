"""NumPy computes with one thread: on small matrices several mostly wait for each other."""

import os
from pathlib import Path

import pytest

from tests.checkout import Checkout, checkout

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def tokens(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """400 tokenized reviews."""
    from tests import made_up  # It imports torch, which few tests need.

    return made_up.tokens(tmp_path_factory.mktemp("reviews"), 400)


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy of the repository in which nothing has run; tests must not change its files."""
    return checkout(tmp_path_factory.mktemp("fresh"))
