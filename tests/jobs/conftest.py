"""The build of mxint_cuda that the programs of question 3 need."""

import importlib.util
from pathlib import Path

import pytest

from tests.jobs.programs import finish, start


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package: where Python finds it, or else a fresh build."""
    spec = importlib.util.find_spec("mxint_cuda")
    if spec is not None and spec.origin is not None:  # the folder of its sources has no origin
        return Path(spec.origin).parents[1]
    folder = tmp_path_factory.mktemp("package") / "build"
    words = ["--source", "mxint_cuda", "--cutlass", "results/data/cutlass", "--output"]
    finish(start("build_mxint_cuda.py", *words, folder / "manifest.json"))
    return folder
