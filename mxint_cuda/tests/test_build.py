"""The CUDA side as far as it goes without a GPU: its build, and its thread bodies on the host."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from reference import FLOATS, decode, same

import mxint_cuda

PROJECT = Path(__file__).parents[1]
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc here")


@needs_nvcc
def test_where_there_is_nvcc_the_cuda_kernels_are_registered() -> None:
    assert mxint_cuda.has_cuda()
    for name in ("quantize", "quantize_out", "dequantize", "dequantize_out", "linear"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key(f"mxint_cuda::{name}", "CUDA")


@needs_nvcc
@pytest.mark.parametrize("planted", [True, False], ids=["planted", "as it is"])
def test_an_error_in_a_cu_file_fails_the_build(planted: bool, tmp_path: Path) -> None:
    source, work = tmp_path / "source", tmp_path / "build"
    shutil.copytree(PROJECT, source, ignore=shutil.ignore_patterns("tests", "bench"))
    if planted:
        with (source / "csrc" / "quantize.cu").open("a") as file:
            file.write("int planted_error = there_is_no_such_name;\n")
    configured = run("cmake", "-G", "Ninja", "-S", source, "-B", work, *settings(source))
    assert configured.returncode == 0, configured.stdout
    # Of all that the build makes, the one object: the rest takes a minute.
    target = "CMakeFiles/mxint_cuda.dir/csrc/quantize.cu.o"
    built = run("cmake", "--build", work, "--target", target)
    if planted:
        assert built.returncode != 0
        assert 'error: identifier "there_is_no_such_name" is undefined' in built.stdout
    else:
        assert built.returncode == 0, built.stdout


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


@pytest.fixture(scope="module")
def on_host(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The vectorised kernel's thread body, compiled for the host from the header it stands in."""
    if shutil.which("g++") is None:
        pytest.skip("there is no g++ here")
    library = tmp_path_factory.mktemp("vector") / "vector_on_host.so"
    program = PROJECT / "tests" / "vector_on_host.cpp"
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    built = run("g++", *flags, "-I", PROJECT / "csrc", program, "-o", library)
    assert built.returncode == 0, built.stdout
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize(
    ("size", "columns", "shifted"),
    [(size, 512, size >= 8) for size in (1, 2, 4, 8, 16, 32, 64, 256, 512)]
    + [(size, columns, False) for size in (7, 8, 33, 600) for columns in (1, 100, 1000)],
)
def test_the_lanes_of_a_warp_decode_a_tile_between_them(
    size: int, columns: int, shifted: bool, dtype: torch.dtype, on_host: ctypes.CDLL
) -> None:
    rows = 512  # so that the elements make whole tiles
    generator = torch.Generator().manual_seed(size * columns)
    mantissa = torch.randint(-128, 128, (rows, columns), generator=generator).to(torch.int8)
    exponent = torch.randint(0, 256, (rows, -(-columns // size)), generator=generator)
    exponent = exponent.to(torch.uint8)
    y = torch.zeros(rows, columns, dtype=dtype)
    on_host.decode_on_host(
        FLOATS.index(dtype),
        *(ctypes.c_void_p(tensor.data_ptr()) for tensor in (mantissa, exponent)),
        *(ctypes.c_int64(count) for count in (rows, columns, size)),
        ctypes.c_bool(shifted),
        ctypes.c_void_p(y.data_ptr()),
    )
    assert same(y, torch.from_numpy(decode(mantissa, exponent, size)).to(dtype))
