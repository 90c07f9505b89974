"""The kept run of quick, tabulated once for all tests that read the report on it."""

from pathlib import Path

import pytest

from reporting.evidence import Evidence
from tests.report import quick


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("quick")
    quick.tabulate(folder)
    return folder


@pytest.fixture(scope="session")
def evidence(folder: Path) -> Evidence:
    return quick.evidence(folder)
