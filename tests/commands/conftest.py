"""A fresh copy of the repository."""

import pytest

from tests.checkout import Checkout, checkout


@pytest.fixture(scope="session")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    """A copy in which nothing has run; tests must not change its files."""
    return checkout(tmp_path_factory.mktemp("fresh"))
