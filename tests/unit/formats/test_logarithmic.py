"""Logarithmic numbers against their formula in float64."""

import math

import numpy as np
import pytest
import torch

from tests.unit.formats.values import awkward, quantizer, same


def reference(x: np.ndarray, width: int, bias: int | None) -> np.ndarray:
    exponent_width = width - 1
    bias = 2 ** (exponent_width - 1) - 1 if bias is None else bias
    wide, smallest = x.astype(np.float64), 0.1 * 2.0**-bias
    with np.errstate(divide="ignore"):
        exponent = np.rint(np.log2(np.abs(wide) + smallest))
    exponent = np.clip(exponent, -bias, 2**exponent_width - 1 - bias)
    return (np.sign(wide + smallest) * np.exp2(exponent)).astype(np.float32)


@pytest.mark.parametrize(("width", "bias"), [(8, None), (4, None), (4, 10), (8, 0), (5, -2)])
def test_a_million_numbers_are_exact(width: int, bias: int | None) -> None:
    x = awkward()
    quantize = quantizer("log", width=width, exponent_bias=bias)
    same(quantize(torch.tensor(x)), reference(x, width, bias), x)


def test_mase_mode_rounds_the_logarithm_to_float32() -> None:
    """Only numbers whose logarithm lies within float32's error of a tie may differ."""
    x = torch.tensor(awkward())
    exact, mase = (quantizer("log", width=8, mode=mode)(x) for mode in ("nearest", "mase"))
    different = x[exact != mase].double().abs()
    assert len(different) < 10
    assert ((different.log2() % 1 - 0.5).abs() < 1e-5).all()


def test_a_number_above_the_geometric_mean_of_two_powers_becomes_the_upper() -> None:
    """At 2**-63 the smallest power is too small to move any of these numbers."""
    powers = 2.0 ** torch.arange(-10, 60, dtype=torch.float64)
    mean = powers * math.sqrt(2)
    quantize = quantizer("log", width=8)
    assert torch.equal(quantize(mean), powers)
    above = mean.nextafter(torch.tensor(math.inf, dtype=torch.float64))
    assert torch.equal(quantize(above), 2 * powers)
