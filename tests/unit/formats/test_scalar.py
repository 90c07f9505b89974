"""Formats of one number at a time against definitions, lists of values or exact arithmetic."""

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.formats.values import awkward, nearest_of, quantizer, same


def fixed_point(x: np.ndarray, width: int, frac_width: int) -> np.ndarray:
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
def test_a_million_numbers_in_fixed_point_are_exact(width: int, frac_width: int, mode: str) -> None:
    x = awkward()
    quantize = quantizer("integer", width=width, frac_width=frac_width, mode=mode)
    same(quantize(torch.tensor(x)), fixed_point(x, width, frac_width), x)


@given(st.floats(allow_nan=False, width=32), st.integers(2, 32), st.integers(-8, 40))
def test_any_number_and_any_width(number: float, width: int, frac_width: int) -> None:
    x = np.array([number], np.float32)
    quantize = quantizer("integer", width=width, frac_width=frac_width)
    same(quantize(torch.tensor(x)), fixed_point(x, width, frac_width), x)


@pytest.mark.parametrize(("width", "bias"), [(8, None), (4, None), (4, 10), (8, 0), (5, -2)])
def test_a_million_logarithms_are_exact(width: int, bias: int | None) -> None:
    x = awkward()
    quantize = quantizer("log", width=width, exponent_bias=bias)
    used = bias_of(width - 1, bias)
    wide, smallest = x.astype(np.float64), 0.1 * 2.0**-used
    with np.errstate(divide="ignore"):
        exponent = np.rint(np.log2(np.abs(wide) + smallest))
    exponent = np.clip(exponent, -used, 2 ** (width - 1) - 1 - used)
    expected = (np.sign(wide + smallest) * np.exp2(exponent)).astype(np.float32)
    same(quantize(torch.tensor(x)), expected, x)


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


SIZES = [
    *((8, 4, None), (8, 3, None), (12, 5, None), (16, 8, None)),
    *((6, 2, 3), (8, 5, 20), (8, 4, -3), (8, 4, 200), (8, 4, -100)),
]


def bias_of(exponent_width: int, exponent_bias: int | None) -> int:
    return 2 ** (exponent_width - 1) - 1 if exponent_bias is None else exponent_bias


def values_ieee(width: int, exponent_width: int, bias: int) -> np.ndarray:
    """Decode every positive code of an IEEE minifloat without special codes."""
    mantissa_width = width - exponent_width - 1
    codes = np.arange(2 ** (width - 1))
    exponents, mantissas = codes >> mantissa_width, codes & (2**mantissa_width - 1)
    fractions = mantissas / 2**mantissa_width
    normal = np.ldexp(1 + fractions, exponents - bias)
    return np.asarray(np.where(exponents == 0, np.ldexp(fractions, 1 - bias), normal))


def values_denorm(width: int, exponent_width: int, bias: int) -> np.ndarray:
    """Decode every positive code of a minifloat without a leading bit; equal values count once."""
    mantissa_width = width - exponent_width - 1
    codes = np.arange(2 ** (width - 1))
    exponents, mantissas = codes >> mantissa_width, codes & (2**mantissa_width - 1)
    return np.unique(np.ldexp(mantissas / 2**mantissa_width, exponents - bias))


def minifloat(kind: str, width: int, exponent_width: int, bias: int | None) -> dict[str, Any]:
    sizes = {"width": width, "exponent_width": exponent_width, "exponent_bias": bias}
    return {"name": f"minifloat_{kind}", **sizes}


@pytest.mark.parametrize("kind", ["ieee", "denorm"])
@pytest.mark.parametrize("size", SIZES)
def test_a_million_numbers_are_the_nearest(kind: str, size: tuple[int, int, int | None]) -> None:
    width, exponent_width, exponent_bias = size
    decode = values_ieee if kind == "ieee" else values_denorm
    grid = decode(width, exponent_width, bias_of(exponent_width, exponent_bias))
    x = awkward()
    same(quantizer(**minifloat(kind, *size))(torch.tensor(x)), nearest_of(grid, x), x)


@pytest.mark.parametrize(
    "dtype", [ml_dtypes.float4_e2m1fn, ml_dtypes.float6_e2m3fn, ml_dtypes.float6_e3m2fn]
)
def test_ml_dtypes_agrees(dtype: Any) -> None:
    x, info = awkward(), ml_dtypes.finfo(dtype)
    x = x[np.abs(x) <= float(info.max)]
    quantize = quantizer(**minifloat("ieee", info.bits, info.nexp, None))
    same(quantize(torch.tensor(x)), x.astype(dtype).astype(np.float32), x)


@np.errstate(all="ignore")
def minifloat_of_mase(
    kind: str, x: np.ndarray, width: int, exponent_width: int, bias: int
) -> np.ndarray:
    """Return the formulas of MASE's two quantizers, in float32 throughout."""
    one = np.float32
    mantissa_width = width - exponent_width - 1
    steps, most = one(2**mantissa_width), one(2**mantissa_width - 1)
    logarithm = np.log2(np.abs(x) + one(1e-9))
    exponent = np.ceil(logarithm) if kind == "denorm" else np.floor(logarithm)
    exponent = np.clip(exponent, one(-bias), one(2**exponent_width - 1 - bias))
    power = np.ldexp(one(1), exponent.astype(int))  # NumPy's exp2 is not exact in float32
    if kind == "denorm":
        value = power * (np.clip(np.rint(np.abs(x) / power * steps), 0, most) / steps)
    else:
        normal = 1 + np.clip(np.rint(np.abs(x) / power * steps - steps), 0, most) / steps
        subnormal = np.clip(np.rint(np.abs(x) / power * steps / 2), 0, most) / steps * 2
        value = power * np.where(exponent == -bias, subnormal, normal)
    return np.where(np.abs(x) <= one(1e-8), x, np.sign(x + one(1e-9)) * value).astype(np.float32)


@pytest.mark.parametrize("kind", ["ieee", "denorm"])
@pytest.mark.parametrize("size", SIZES)
def test_mase_mode_is_its_formula(kind: str, size: tuple[int, int, int | None]) -> None:
    width, exponent_width, exponent_bias = size
    x = awkward()
    quantize = quantizer(**minifloat(kind, *size), mode="mase")
    bias = bias_of(exponent_width, exponent_bias)
    same(quantize(torch.tensor(x)), minifloat_of_mase(kind, x, width, exponent_width, bias), x)


def test_erratum_8_mase_does_not_carry() -> None:
    """A number just below a power of two has to be rounded up to it."""
    x = torch.tensor([0.99])
    for kind, stuck in (("ieee", 0.9375), ("denorm", 0.875)):
        assert quantizer(**minifloat(kind, 8, 4, None))(x).item() == 1.0
        assert quantizer(**minifloat(kind, 8, 4, None), mode="mase")(x).item() == stuck


def test_binary_is_the_sign_with_zero_positive() -> None:
    x = awkward()
    expected = np.where(x >= 0, 1.0, -1.0).astype(np.float32)
    same(quantizer("binary")(torch.tensor(x)), expected, x)
    assert quantizer("binary")(torch.tensor([0.0, -0.0])).tolist() == [1, 1]


def test_binary_scaling_keeps_each_output_channels_mean_magnitude() -> None:
    x = np.random.default_rng(0).standard_normal((1000, 1000)).astype(np.float32)
    result = quantizer("binary_scaling")(torch.tensor(x)).numpy()
    assert ((result > 0) == (x >= 0)).all()
    scale = np.abs(x.astype(np.float64)).mean(1, keepdims=True)
    np.testing.assert_allclose(np.abs(result), np.broadcast_to(scale, x.shape), rtol=1e-5)
    with pytest.raises(ValueError, match="mode"):
        quantizer("binary_scaling", mode="mase")


def test_residual_sign_sums_the_signs_of_residuals() -> None:
    x = awkward()
    residual, total = x.copy(), np.zeros_like(x)
    for mean in (np.float32(2 / 3), np.float32(1 / 3)):
        added = np.sign(np.clip(residual, -1, 1)) * mean
        residual, total = residual - added, total + added
    same(quantizer("residual_sign", levels=2)(torch.tensor(x)), total, x)


def test_residual_signs_gradient_goes_through_both_levels() -> None:
    """Inside both clamps 2/3 + 1/3 (1 - 2/3); beyond the first 1/3; beyond both 0."""
    x = torch.tensor([-2.0, -1.5, -0.9, 0.1, 0.9, 1.5, 2.0], requires_grad=True)
    quantizer("residual_sign")(x).sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, torch.tensor([0, 1 / 3, 7 / 9, 7 / 9, 7 / 9, 1 / 3, 0]))
