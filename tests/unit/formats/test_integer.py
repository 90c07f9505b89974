"""Fixed point against exact arithmetic."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.formats.values import awkward, quantizer, same


def reference(x: np.ndarray, width: int, frac_width: int) -> np.ndarray:
    """Return the format's formula in float64, which represents every step exactly.

    From a width of 26 on, float32 ends before the format.
    """
    whole = np.rint(x.astype(np.float64) * 2.0**frac_width)
    below = np.nextafter(np.float32(2 ** (width - 1)), np.float32(0))
    clamped = np.clip(whole, -(2 ** (width - 1)), min(2 ** (width - 1) - 1, float(below)))
    return (clamped / 2.0**frac_width).astype(np.float32)


@pytest.mark.parametrize("mode", ["nearest", "mase"])
@pytest.mark.parametrize(
    ("width", "frac_width"), [(4, 2), (8, 4), (8, 0), (16, 8), (24, 20), (32, 16), (5, -3)]
)
def test_a_million_numbers_are_exact(width: int, frac_width: int, mode: str) -> None:
    x = awkward()
    quantize = quantizer("integer", width=width, frac_width=frac_width, mode=mode)
    same(quantize(torch.tensor(x)), reference(x, width, frac_width), x)


@given(st.floats(allow_nan=False, width=32), st.integers(2, 32), st.integers(-8, 40))
def test_any_number_and_any_width(number: float, width: int, frac_width: int) -> None:
    x = np.array([number], np.float32)
    quantize = quantizer("integer", width=width, frac_width=frac_width)
    same(quantize(torch.tensor(x)), reference(x, width, frac_width), x)
