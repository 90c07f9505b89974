"""Print what the machine code of the CUDA kernels allows at most on an H100 and an H200.

No GPU is needed: nvcc compiles the kernels for sm_90, and nvdisasm prints their instructions.  A
GPU issues so many instructions a second, and each element takes some; so it handles no more than
so many elements a second, which are so many bytes.  Waiting for memory, instructions that take
longer than others, and the start and end of a kernel are not counted: the figures are ceilings,
not forecasts, and not measurements.

Beside them stands what sm_75 takes, the oldest GPU that the kernels are compiled for.
"""

import argparse
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from compiler import Code, compiled, version
from machine_code import Instruction, hot_pass
from table import markdown

SOURCES = Path(__file__).parents[1] / "csrc"
CUTE = "cute_dequantize.cu"
GROUP_SIZE = 32
PACKED = 1 + 1 / GROUP_SIZE
"""Bytes of an element in MXINT8."""

# NVIDIA's data sheets of the SXM modules: float32 operations, and bytes of memory, a second.
GPUS = {"H100": (67e12, 3.35e12), "H200": (67e12, 4.8e12)}
# A multiprocessor of compute capability 9.0, by the CUDA C++ Programming Guide ("Technical
# Specifications per Compute Capability"); how it is shared out, by the toolkit's cuda_occupancy.h.
LANES = 32
WARPS, BLOCKS, REGISTERS, SHARED = 64, 32, 65536, 233472
PARTITIONS = 4  # each with its part of the registers
REGISTER_UNIT, SHARED_UNIT = 256, 128  # a warp's registers and a block's bytes are multiples
SHARED_RESERVED = 1024  # bytes in each block


@dataclass(frozen=True)
class Work:
    """How the loads or stores of a pass show how many elements it handles."""

    access: tuple[str, ...]  # "LDG", loads, "LDGSTS", asynchronous copies, or "STG", stores
    narrowest: int  # bytes of a lane at a time; narrower ones are of exponents
    elements_a_byte: Fraction
    moved: float  # bytes that memory has to give and take for an element

    def bytes(self, instruction: Instruction) -> int:
        """Return the bytes of an instruction, where they count."""
        width = max(map(instruction.bytes, self.access))
        return width if width >= self.narrowest else 0


def stored(size: int) -> Work:
    """Elements of so many bytes are decoded: as many as are stored."""
    return Work(("STG",), size, Fraction(1, size), PACKED + size)


def loaded(size: int) -> Work:
    """Elements of so many bytes are encoded: as many as are loaded."""
    return Work(("LDG",), size, Fraction(1, size), PACKED + size)


def multiplied(outputs: int, rows: int, size: int = 1) -> Work:
    """Elements of the weight are multiplied with x, of ``size`` bytes: of each input, a block loads
    one byte for each of its outputs, and one element for each of its rows of x.  From memory comes
    the weight alone; x stays in the caches.
    """
    return Work(("LDG",), 4, Fraction(outputs, outputs + rows * size), PACKED)


COPIED = Work(("LDGSTS", "LDG"), 16, Fraction(1), PACKED)
"""The weight, and nothing else, is copied to shared memory by 16 bytes, a byte an element; on sm_75
each thread loads it, and stores it there.
"""


def constant(file: str, name: str) -> int:
    """Return what a source file calls so."""
    found = re.search(rf"\b{name} = (\d+)", (SOURCES / file).read_text())
    if found is None:
        raise SystemExit(f"error: {file} has no constant {name}")
    return int(found[1])


@dataclass(frozen=True)
class Kernel:
    """A kernel of a source file, by its name in C++."""

    title: str
    source: str
    name: str
    threads: int  # of a block
    work: Work


def kernels() -> list[Kernel]:
    """Return those that groups of GROUP_SIZE take: from and to bfloat16, and from float32."""
    threads = constant("launch.cuh", "kThreads")
    found = [
        Kernel(f"dequantize{title}", "dequantize.cu", name, threads, stored(2))
        for title, name in (
            ("", "vector_kernel<BFloat16, PowerOfTwoGroups, true>"),
            (", mantissas not aligned", "vector_kernel<BFloat16, PowerOfTwoGroups, false>"),
            (", rows that end in a group", "vector_kernel<BFloat16, AnyGroups, true>"),
            (", scalar", "scalar_kernel<BFloat16, PowerOfTwoGroups>"),
        )
    ]
    tile = constant("cute_tiling.h", "kTileElements")
    name = f"cute_kernel<Tiling<{GROUP_SIZE}>>"
    found.append(Kernel("dequantize, CuTe", CUTE, name, tile, stored(2)))
    for title, dtype, size in (("", "BFloat16", 2), (" from float32", "float", 4)):
        name = f"tile_kernel<{dtype}, true>"
        found.append(Kernel(f"quantize{title}", "quantize.cu", name, threads, loaded(size)))
    threads, outputs = (constant("linear.cu", name) for name in ("kBlock", "kColumns"))
    for activations, name, size, batches in (
        ("float", "float_kernel<BFloat16, {}>", 2, (1, 2, 4, 8)),
        ("mxint8", "quantizing_kernel<BFloat16, 16>", 2, (1,)),
        ("mxint8", "mxint8_kernel<BFloat16, {}, 16>", 1, (2, 4, 8)),
    ):
        for rows in batches:
            title = f'linear "{activations}", batch {rows}'
            work = multiplied(outputs, rows, size)
            found.append(Kernel(title, "linear.cu", name.format(rows), threads, work))
    warps, tile = (constant("linear_tensor.cu", name) for name in ("kWarps", "kRows"))
    for tiles in (2, 4, 8):
        title = f'linear "mxint8", batch {tiles * tile}'
        name = f"tensor_kernel<signed char, BFloat16, {tiles}, 2>"
        found.append(Kernel(title, "linear_tensor.cu", name, LANES * warps, COPIED))
    return found


@dataclass(frozen=True)
class Row:
    """A kernel, and what its code allows."""

    kernel: Kernel
    code: Code
    instructions: int  # of a lane in a pass
    elements: int

    def warps(self) -> int:
        """Return how many warps a multiprocessor holds at a time."""
        of_block = self.kernel.threads // LANES
        of_warp = _multiple(self.code.registers * LANES, REGISTER_UNIT)
        of_partition = REGISTERS // PARTITIONS // of_warp
        shared = _multiple(self.code.shared + SHARED_RESERVED, SHARED_UNIT)
        blocks = min(
            WARPS // of_block, BLOCKS, of_partition * PARTITIONS // of_block, SHARED // shared
        )
        return blocks * of_block

    def ceiling(self, gpu: str) -> float:
        """Return the share of the memory's bandwidth that the instructions allow; above 1, they do
        not hold the kernel back.

        In a cycle, a multiprocessor's four schedulers issue one instruction each, of 32 lanes.  Its
        float32 peak is that of 128 lanes that multiply and add; so it issues half as many.
        """
        operations, bandwidth = GPUS[gpu]
        elements = operations / 2 * self.elements / self.instructions
        return elements * self.kernel.work.moved / bandwidth


def _multiple(number: int, unit: int) -> int:
    return -(-number // unit) * unit


def row(kernel: Kernel, codes: dict[str, Code]) -> Row:
    """Return what a pass of a kernel comes to."""
    if kernel.name not in codes:
        raise SystemExit(f"error: there is no {kernel.name} in {kernel.source}")
    code = codes[kernel.name]
    instructions = hot_pass(code.function, kernel.work.bytes)
    elements = sum(map(kernel.work.bytes, instructions)) * kernel.work.elements_a_byte
    if not instructions or elements.denominator != 1:
        raise SystemExit(f"error: no pass of {kernel.name} that handles whole elements is found")
    return Row(kernel, code, len(instructions), int(elements))


# ---- the table -----------------------------------------------------------------------------------

COLUMNS = [
    "Kernel",
    "Registers",
    "Shared memory",
    f"Warps of {WARPS}",
    "Instructions / elements of a pass",
    "Instructions an element",
    "On sm_75",
    "Bytes an element",
    *(f"{gpu}: at most" for gpu in GPUS),
]


def cells(row: Row, older: Row) -> list[str]:
    """Return a row of the table, in brackets the issue slots that this takes."""
    spilled = f" ({row.code.spilled} bytes spilled)" if row.code.spilled else ""
    return [
        row.kernel.title,
        f"{row.code.registers}{spilled}",
        f"{row.code.shared:,}",
        f"{row.warps()}",
        f"{row.instructions} / {row.elements}",
        *(f"{one.instructions / one.elements:.1f}" for one in (row, older)),
        f"{row.kernel.work.moved:.2f}",
        *(f"{min(row.ceiling(gpu), 1):.0%} ({min(1 / row.ceiling(gpu), 1):.0%})" for gpu in GPUS),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--cutlass",
        type=Path,
        metavar="FOLDER",
        help="folder that cutlass.py has made, for the CuTe kernel; without it that is left out",
    )
    arguments = parser.parse_args()
    wanted = [kernel for kernel in kernels() if kernel.source != CUTE or arguments.cutlass]
    cute = ["-isystem", f"{arguments.cutlass}/include"]
    rows = []
    for architecture in ("sm_90", "sm_75"):
        codes: dict[str, Code] = {}
        for source in dict.fromkeys(kernel.source for kernel in wanted):
            flags = cute if source == CUTE else []
            codes |= compiled(SOURCES / source, flags, architecture)
        rows.append([row(kernel, codes) for kernel in wanted])
    table = markdown(COLUMNS, "---:", map(cells, *rows))
    print(f"\n## Ceilings by nvcc {version()} for sm_90\n\n{table}")


if __name__ == "__main__":
    main()
