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
    ("columns past the last are stored", " || n >= shape.outputs) return;", ") return;"),
    ("rows past the last are stored", "row >= shape.rows || ", ""),
    (
        "columns past the last are loaded",
        "return n < outputs ? n : outputs - 1;",
        "return n;",
    ),
    (
        "rows past the last are loaded",
        "return row < rows ? row : rows - 1;",
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
    (
        "scale of the next group",
        "= shape.size.quotient(k);\n    float w",
        "= shape.size.quotient(k + 8);\n    float w",
    ),
    ("long runs of short groups", "whole_runs(layer, kLongRun) ?", "true ?"),
    ("the larger scale first", "const bool ordered = a < b;", "const bool ordered = a >= b;"),
    ("a NaN scale is passed over", "(ordered ? b : a)", "(b < a ? a : b)"),
)

DEQUANTIZE = (
    _in(
        "dequantize.cu",
        "test_cuda_dequantize.py",
        (
            "tail that begins one too late",
            "n < body.begin ? n : n + body.elements()",
            "n < body.begin ? n : n + body.elements() + 1",
        ),
        ("one tile too many", "left / kTile, whole}", "(left + kTile - 1) / kTile, whole}"),
        ("shuffle of half the lanes", "__shfl_sync(~0u,", "__shfl_sync(0xffffu,"),
        ("unaligned loads past the end", "(whole ? 0 : 4)", "0"),
        ("unaligned loads before the start", "begin < first + kPerLane", "begin < first"),
        (
            "unaligned tensors as if aligned",
            "body.aligned ? vector_kernel<T, G, true> : vector_kernel<T, G, false>",
            "vector_kernel<T, G, true>",
        ),
        (
            "one scale for pieces that lie across groups",
            " && body.begin % Pieces<T>::elements == 0",
            "",
        ),
        (
            "one scale for pieces of several groups",
            "groups.size >= Pieces<T>::elements && ",
            "",
        ),
        ("blocks that do not go on", "tile += all_threads() / kLanes", "tile += body.tiles"),
    )
    + _in(
        "vector.h",
        "test_cuda_dequantize.py",
        (
            "mantissas of another lane",
            "first(piece, lane) / kPerLane",
            "first(piece, lane) / kLanes",
        ),
    )
    + _in(
        "values.cuh",
        "test_cuda_dequantize.py",
        ("bytes shifted as bits", "8 * beyond)", "beyond)"),
        ("mantissas 128 too large", "8388736.0f", "8388608.0f"),
    )
    + _in(
        "places.h",
        "test_cuda_dequantize.py",
        ("a row's last group runs into the next row", "column_ < groups_.columns && ", ""),
    )
)

QUANTIZE = _in(
    "quantize.cu",
    "test_cuda_quantize.py",
    (
        "exchange over half of the lanes",
        "int distance = lanes / 2; distance > 0",
        "int distance = lanes / 2; distance > 1",
    ),
    (
        "pieces of a long group apart",
        "if (size <= along * kLanes * P::elements) break;",
        "break;",
    ),
    (
        "every lane of a group writes its exponent",
        "if ((first & (size - 1)) == 0) exponent",
        "exponent",
    ),
    (
        "every thread of a team writes the exponent",
        "span.length > 0 && member == 0",
        "span.length > 0",
    ),
    ("last group of a row not shorter", "left < size ? left : size}", "size}"),
    (
        "threads without a group leave before the exchange",
        "if (group < groups.count) span",
        "if (group >= groups.count) return;\n    span",
    ),
    ("exponents of the rest in the first place", "exponent + (done >> shift)", "exponent"),
    (
        "unaligned tensors as if aligned",
        "placed ? tile_kernel<T, true> : tile_kernel<T, false>",
        "tile_kernel<T, true>",
    ),
    ("rows that end within a group in tiles", "whole && power_of_two", "power_of_two"),
    ("blocks that do not go on", "base += all_threads() >> shift", "base += groups.count"),
)

SHARED = (
    _in(
        "division.h",
        "test_cuda_machine.py",
        ("reciprocals rounded down", "(power + divisor - 1) / divisor", "power / divisor"),
    )
    + _in(
        "launch.cuh",
        "test_cuda_dequantize.py",
        ("blocks rounded down", "(threads + kThreads - 1) / kThreads", "(threads + 1) / kThreads"),
    )
    + _in(
        "launch.cuh",
        "test_cuda_machine.py",
        (
            "CUDA's last error is asked",
            "const cudaError_t error = cudaLaunchKernelEx(&config, kernel, arguments...);",
            "cudaLaunchKernelEx(&config, kernel, arguments...);\n"
            "  const cudaError_t error = cudaGetLastError();",
        ),
    )
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

MUTANTS = [*LINEAR, *DEQUANTIZE, *QUANTIZE, *CUTE, *SHARED]
