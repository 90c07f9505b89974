"""The build of the CUDA kernels, which works without a GPU."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

import mxint_cuda

PROJECT = Path(__file__).parents[1]
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc here")


@needs_nvcc
def test_where_there_is_nvcc_the_cuda_kernels_are_registered() -> None:
    assert mxint_cuda.has_cuda()
    for name in ("quantize", "quantize_out", "dequantize", "dequantize_out", "linear"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key(f"mxint_cuda::{name}", "CUDA")


@needs_nvcc
def test_an_error_in_a_cu_file_fails_the_build(tmp_path: Path) -> None:
    source, work = tmp_path / "source", tmp_path / "build"
    shutil.copytree(PROJECT, source, ignore=shutil.ignore_patterns("tests", "bench"))
    with (source / "csrc" / "quantize.cu").open("a") as file:
        file.write("int planted_error = there_is_no_such_name;\n")
    configured = run("cmake", "-G", "Ninja", "-S", source, "-B", work, *settings(source))
    assert configured.returncode == 0, configured.stdout
    # Of all that the build makes, the one object: the rest takes a minute.
    target = "CMakeFiles/mxint_cuda.dir/csrc/quantize.cu.o"
    built = run("cmake", "--build", work, "--target", target)
    assert built.returncode != 0
    assert 'error: identifier "there_is_no_such_name" is undefined' in built.stdout


def settings(source: Path) -> list[str]:
    """Return what makes the build small: one architecture, and no CuTe (an empty package of it)."""
    (source / "cutlass.py").write_text("raise SystemExit('left out of this test')\n")
    return ["-DCMAKE_CUDA_ARCHITECTURES=90", f"-DPython_EXECUTABLE={sys.executable}"]


def run(*command: object) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment; what it says is in ``stdout``."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [str(word) for word in command],
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
