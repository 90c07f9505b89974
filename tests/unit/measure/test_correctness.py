"""An arm with wrong outputs is not timed."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from labs.measure.correctness import TOLERANCE, compare, require


@given(st.integers(0, 999), st.sampled_from(list(TOLERANCE)))
def test_a_single_wrong_element_anywhere_fails(place: int, dtype: torch.dtype) -> None:
    reference = torch.linspace(-1, 1, 1000, dtype=torch.float64)
    output = reference.to(dtype, copy=True)
    assert compare(output, reference)["passed"]
    output[place] += 3 * TOLERANCE[dtype]
    assert not compare(output, reference)["passed"]


def test_nan_fails() -> None:
    reference = torch.ones(4)
    assert not compare(torch.full((4,), float("nan")), reference)["passed"]


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        compare(torch.ones(2, 1), torch.ones(2))


def test_a_failed_comparison_stops_with_the_arm_and_the_error() -> None:
    result = compare(torch.zeros(3), torch.ones(3))
    with pytest.raises(ArithmeticError, match="the fused arm: error 1 exceeds"):
        require(result, "the fused arm")
