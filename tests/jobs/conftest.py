"""The build of mxint_cuda that the programs of question 3 need."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that holds the package: where Python finds it, or else a fresh build."""
    spec = importlib.util.find_spec("mxint_cuda")
    if spec is not None and spec.origin is not None:  # the folder of its sources has no origin
        return Path(spec.origin).parents[1]
    folder = tmp_path_factory.mktemp("package") / "build"
    done = subprocess.run(
        [
            sys.executable,
            "scripts/build_mxint_cuda.py",
            "--source",
            "mxint_cuda",
            "--cutlass",
            "results/data/cutlass",
            "--output",
            str(folder / "manifest.json"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-6000:]
    return folder
