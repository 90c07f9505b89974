"""The errors that mutants.py plants into the CUDA kernels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """An error: ``old`` stands once in the file."""

    title: str
    file: str
    tests: str
    old: str
    new: str


def _in(file: str, tests: str, *errors: tuple[str, str, str]) -> list[Mutant]:
    """Return the errors of one file."""
    return [Mutant(title, file, tests, old, new) for title, old, new in errors]


LINEAR = _in(
    "linear.cu",
    "test_cuda_linear.py",
    ("no barrier before the sums of the warps are read", "  __syncthreads();\n", ""),
    (
        "barrier that half of the warps miss",
        "  __syncthreads();\n",
        "  if (threadIdx.x >= 64) __syncthreads();\n",
    ),
    ("columns past the last are stored", "|| n >= layer.outputs) return;", ") return;"),
    ("rows past the last are stored", "row >= layer.rows || ", ""),
    (
        "columns past the last are loaded",
        "return n < layer.outputs ? n : layer.outputs - 1;",
        "return n;",
    ),
    (
        "rows past the last are loaded",
        "return row < layer.rows ? row : layer.rows - 1;",
        "return row;",
    ),
    ("sums of half a warp", "distance = kWarp / 2", "distance = kWarp / 4"),
    (
        "shuffle in a branch",
        "      sums[0] += __shfl_xor_sync",
        "      if (lane < 16) sums[0] += __shfl_xor_sync",
    ),
    (
        "shared memory for one warp too few",
        "of_warp[kBlock / kWarp][count]",
        "of_warp[kBlock / kWarp - 1][count]",
    ),
    ("every lane stores its warp's sum", "if (lane % lanes == 0) of_warp", "of_warp"),
    ("the larger scale first", "const bool ordered = a < b;", "const bool ordered = a >= b;"),
    ("a NaN scale is passed over", "(ordered ? b : a)", "(b < a ? a : b)"),
)

DEQUANTIZE = _in(
    "dequantize.cu",
    "test_cuda_dequantize.py",
    ("tail that begins one too late", "tiles * kTile, y, stream", "tiles * kTile + 1, y, stream"),
    (
        "one tile too many",
        "tiles = groups.elements() / kTile;",
        "tiles = (groups.elements() + kTile - 1) / kTile;",
    ),
    ("shuffle of half the lanes", "__shfl_sync(~0u,", "__shfl_sync(0xffffu,"),
)

CUTE = _in(
    "cute_dequantize.cu",
    "test_cuda_dequantize.py",
    ("CuTe: no barrier", "  __syncthreads();\n", ""),
    ("CuTe: exponents past the end", " && group < get<1>(matrix.shape())", ""),
) + _in(
    "cute_tiling.h",
    "test_cuda_dequantize.py",
    (
        "CuTe: a shorter last group is not cut",
        " &&\n           cute::get<0>(at) + cute::get<1>(at) * matrix.group_size < matrix.elements",
        "",
    ),
    (
        "CuTe: sizes are not limited",
        "group_size(size < elements ? size : elements)",
        "group_size(size)",
    ),
)

LAUNCH = _in(
    "launch.cuh",
    "test_cuda_machine.py",
    (
        "CUDA's last error is asked",
        "const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);",
        "cudaLaunchKernelEx(&config, kernel, arguments...);\n"
        "  const cudaError_t error = cudaGetLastError();",
    ),
)

MUTANTS = [*LINEAR, *DEQUANTIZE, *CUTE, *LAUNCH]
