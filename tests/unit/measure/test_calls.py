"""What is seen of a call beside its time: outputs, compilations, operators and peak memory."""

import time

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from labs.measure.compiler import CompilerLog, nothing_compiled
from labs.measure.correctness import TOLERANCE, compare, require
from labs.measure.memory import peak_bytes
from labs.measure.profiler import profile_table, seconds_in


@given(st.integers(0, 999), st.sampled_from(list(TOLERANCE)))
def test_a_single_wrong_element_anywhere_fails(place: int, dtype: torch.dtype) -> None:
    reference = torch.linspace(-1, 1, 1000, dtype=torch.float64)
    output = reference.to(dtype, copy=True)
    assert compare(output, reference)["passed"]
    output[place] += 3 * TOLERANCE[dtype]
    assert not compare(output, reference)["passed"]


def test_nan_fails_and_another_shape_is_refused() -> None:
    reference = torch.ones(4)
    assert not compare(torch.full((4,), float("nan")), reference)["passed"]
    with pytest.raises(ValueError, match="shapes differ"):
        compare(torch.ones(2, 1), torch.ones(2))


def test_a_failed_comparison_stops_with_the_arm_and_the_error() -> None:
    result = compare(torch.zeros(3), torch.ones(3))
    with pytest.raises(ArithmeticError, match="the fused arm: error 1 exceeds"):
        require(result, "the fused arm")


def test_a_new_shape_is_counted_as_a_compilation_and_a_known_one_is_not() -> None:
    compiled = torch.compile(lambda x: x * 2, backend="aot_eager", dynamic=False)
    with CompilerLog() as first:
        compiled(torch.ones(3))
    assert first.counts["graphs"] == 1
    assert first.counts["graph breaks"] == 0
    assert first.times["Dynamo"] > 0
    with nothing_compiled():
        compiled(torch.zeros(3))
    with pytest.raises(RuntimeError, match="recompiled while it was timed"), nothing_compiled():
        compiled(torch.ones(4))


MATRIX = torch.ones(256, 256)
PAUSE = 0.05  # s


def product_and_pause() -> None:
    torch.mm(MATRIX, MATRIX)
    time.sleep(PAUSE)


def test_time_outside_of_operators_is_part_of_a_call() -> None:
    inside, whole = seconds_in(["aten::mm"], product_and_pause, "cpu")
    assert 0 < inside < whole - PAUSE


def test_operators_are_listed_with_the_longest_first() -> None:
    rows = profile_table(product_and_pause, 3, "cpu")
    assert rows[0]["operator"] == "aten::mm"
    assert rows[0]["calls"] == 3
    assert rows == sorted(rows, key=lambda row: -row["seconds"])


MIB = 2**20


def test_the_peak_counts_what_is_allocated_at_once() -> None:
    def together() -> torch.Tensor:
        first, second = torch.empty(MIB), torch.empty(MIB)
        return first + second

    def in_turn() -> None:
        for _ in range(3):
            torch.empty(MIB)

    assert peak_bytes(together, "cpu") == 3 * 4 * MIB
    assert peak_bytes(in_turn, "cpu") == 4 * MIB
