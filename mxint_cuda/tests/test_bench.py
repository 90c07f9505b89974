"""The benchmark: times become a table, and machine code becomes ceilings by a static model."""

import importlib
import random
import shutil
import subprocess
import sys
from pathlib import Path

import ceilings
import compiler
import pytest
import timing
from machine_code import Function, functions, hot_pass

BENCH = Path(__file__).parents[1] / "bench"


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / program), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def test_two_runs_become_a_table_of_their_bounds(tmp_path: Path) -> None:
    runs = [str(tmp_path / name) for name in ("one.json", "other.json")]
    for path in runs:
        done = run("run.py", "call", "--rounds", "2", "--threads", "1", "--json", path)
        assert done.returncode == 0, done.stderr
        assert "1,000 calls of linear 64 x 64, batch 1" in done.stdout
    title, _, details, _, *table = run("table.py", *runs).stdout.strip().splitlines()
    assert title.startswith("## ") and "threads 1" in details
    assert table[0] == "|  | arm | over | bound | run 1 | run 2 |  |"
    cells = [line.split(" | ")[1:4] for line in table[2:]]
    assert cells == [[arm, "float32", "0.25"] for arm in ("mxint8 x mxint8", "float32 x mxint8")]


@pytest.mark.parametrize(("seconds", "more"), [(0.0, False), (0.05, True)])
def test_a_comparison_has_its_rounds_and_takes_its_seconds(
    seconds: float, more: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timing, "LEAST_SECONDS", seconds)
    comparison = timing.Comparison("nothing", {"arm": lambda: None})
    samples = timing.measure(comparison, 2, random.Random(0), timing.on_cpu)["samples_s"]["arm"]
    assert (len(samples) > 2) == more


def test_an_unknown_case_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["run.py", "everything"])
    with pytest.raises(SystemExit, match="^error: WHAT must be of dequantize, "):
        importlib.import_module("run").main()  # of bench


def program(*lines: str) -> Function:
    """Return a kernel from instructions and labels, set as nvdisasm sets them."""
    text = '\t.section\t.text.kernel,"ax",@progbits\n'
    for at, line in enumerate(lines):
        text += f"{line}\n" if line.endswith(":") else f"        /*{at:04x}*/     {line} ;\n"
    ((name, code),) = functions(text)
    assert name == "kernel"
    return code


STORED = ceilings.stored(2)
LOOP = (
    "S2R R0, SR_TID.X",
    ".L_x_1:",
    "@P0 EXIT",
    ".L_x_2:",
    "LDG.E.128.CONSTANT R4, desc[UR4][R4.64]",
    "BRA.DIV UR14, `(.L_x_9)",
    "SHFL.IDX PT, R13, R4, R18, 0x1f",
    ".L_x_3:",
    "@!P1 LDG.E.U8 R8, desc[UR4][R8.64]",
    "STG.E.128 desc[UR4][R12.64], R8",
    "STG.E.128 desc[UR4][R12.64+0x200], R4",
    "@P0 BRA `(.L_x_2)",
    "EXIT",
    ".L_x_9:",  # what lanes that have parted do instead of the shuffle
    "WARPSYNC.COLLECTIVE R31, `(.L_x_4)",
    ".L_x_4:",
    "SHFL.IDX P1, R30, R32, R33, R34",
    "BRA `(.L_x_3)",
    ".L_x_5:",
    "BRA `(.L_x_5)",
    "NOP",
)


LARGER_LOOP = (
    ".L_x_1:",
    "LDG.E.64 R4, desc[UR4][R4.64]",
    "LDG.E.64 R6, desc[UR4][R4.64+0x100]",
    "@P0 BRA `(.L_x_1)",
    ".L_x_2:",
    "LDG.E.64 R4, desc[UR4][R4.64]",
    "@P0 BRA `(.L_x_2)",
    "EXIT",
)
WAY_AROUND_WORK = (
    ".L_x_1:",
    "@P1 BRA `(.L_x_2)",
    "STG.E.U16 desc[UR4][R12.64], R8",
    ".L_x_2:",
    "@P0 BRA `(.L_x_1)",
    "EXIT",
)
NO_LOOP_THAT_MOVES = (
    ".L_x_1:",
    "IADD3 R4, R4, 0x1, RZ",
    "@P0 BRA `(.L_x_1)",
    "STG.E.U16 desc[UR4][R12.64], R8",
    "EXIT",
)


@pytest.mark.parametrize(
    ("lines", "work", "taken"),
    [
        (LOOP, STORED, "LDG.E.128.CONSTANT BRA.DIV SHFL.IDX LDG.E.U8 STG.E.128 STG.E.128 BRA"),
        (LARGER_LOOP, ceilings.loaded(4), "LDG.E.64 LDG.E.64 BRA"),
        (WAY_AROUND_WORK, STORED, "BRA STG.E.U16 BRA"),
        (NO_LOOP_THAT_MOVES, STORED, "IADD3 BRA STG.E.U16 EXIT"),
    ],
)
def test_a_pass_is_the_shortest_way_through_the_loop_that_moves_most(
    lines: tuple[str, ...], work: ceilings.Work, taken: str
) -> None:
    found = hot_pass(program(*lines), work.bytes)
    assert [instruction.opcode for instruction in found] == taken.split()


@pytest.mark.parametrize(
    ("work", "elements"),
    [(STORED, 16), (ceilings.loaded(2), 8), (ceilings.multiplied(4, 2, 2), 8)],
    ids=["stored", "loaded", "the weight's part of what is loaded"],
)
def test_elements_follow_from_the_bytes_and_not_from_exponents(
    work: ceilings.Work, elements: int
) -> None:
    kernel = ceilings.Kernel("title", "source", "kernel", 256, work)
    row = ceilings.row(kernel, {"kernel": compiler.Code(32, 0, 0, program(*LOOP))})
    assert (row.instructions, row.elements) == (7, elements)


# By the function cudaOccMaxActiveBlocksPerMultiprocessor of the toolkit's cuda_occupancy.h.
@pytest.mark.parametrize(
    ("registers", "shared", "threads", "warps"),
    [
        (22, 0, 256, 64),
        (37, 0, 64, 48),
        (22, 1056, 1024, 64),
        (50, 64, 128, 36),
        (126, 32768, 256, 16),
        (32, 45000, 256, 40),
        (16, 0, 32, 32),
    ],
)
def test_occupancy_is_as_cuda_computes_it(
    registers: int, shared: int, threads: int, warps: int
) -> None:
    kernel = ceilings.Kernel("title", "source", "name", threads, STORED)
    row = ceilings.Row(kernel, compiler.Code(registers, shared, 0, program("EXIT")), 1, 1)
    assert row.warps() == warps


def test_the_ceiling_is_what_all_issue_slots_move() -> None:
    """An H100 of 67e12 operations issues for half as many lanes: 33.5e12 / 10 bytes of 3.35e12."""
    byte = ceilings.Work(("LDG",), 1, ceilings.Fraction(1), 1.0)
    kernel = ceilings.Kernel("title", "source", "name", 256, byte)
    row = ceilings.Row(kernel, compiler.Code(32, 0, 0, program("EXIT")), 40, 4)
    assert row.ceiling("H100") == pytest.approx(1.0)
    assert ceilings.cells(row, row)[-2:] == ["100% (100%)", "70% (100%)"]


def test_what_ptxas_says_of_a_kernel_is_not_taken_from_another() -> None:
    log = """ptxas info    : Compiling entry function 'one' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 26 registers, used 0 barriers
ptxas info    : Compiling entry function 'other' for 'sm_90'
    8 bytes stack frame, 24 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 126 registers, used 1 barriers, 32768 bytes smem
"""
    assert compiler.used(log, "one") == (26, 0, 0)
    assert compiler.used(log, "other") == (126, 32768, 24)


def test_without_nvcc_one_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "argv", ["ceilings.py"])
    with pytest.raises(SystemExit, match="^error: there is no nvcc here"):
        ceilings.main()


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc here")
def test_every_kernel_of_the_table_is_in_its_source() -> None:
    try:
        compiler.tool("nvdisasm")
    except SystemExit:
        pytest.skip("there is no nvdisasm here")
    source = "quantize.cu"
    for architecture in ("sm_90", "sm_75"):
        codes = compiler.compiled(ceilings.SOURCES / source, [], architecture)
        rows = [ceilings.row(k, codes) for k in ceilings.kernels() if k.source == source]
        assert {row.elements for row in rows} == {16}
