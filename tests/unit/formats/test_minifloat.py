"""Minifloats against lists of all their values, and MASE's against their formulas in NumPy."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

from tests.unit.formats.values import awkward, nearest_of, quantizer, same

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


def config(kind: str, width: int, exponent_width: int, bias: int | None) -> dict[str, Any]:
    sizes = {"width": width, "exponent_width": exponent_width, "exponent_bias": bias}
    return {"name": f"minifloat_{kind}", **sizes}


@pytest.mark.parametrize("kind", ["ieee", "denorm"])
@pytest.mark.parametrize("size", SIZES)
def test_a_million_numbers_are_the_nearest(kind: str, size: tuple[int, int, int | None]) -> None:
    width, exponent_width, exponent_bias = size
    decode = values_ieee if kind == "ieee" else values_denorm
    grid = decode(width, exponent_width, bias_of(exponent_width, exponent_bias))
    x = awkward()
    same(quantizer(**config(kind, *size))(torch.tensor(x)), nearest_of(grid, x), x)


@pytest.mark.parametrize(
    ("dtype", "width", "exponent_width"),
    [
        (ml_dtypes.float4_e2m1fn, 4, 2),
        (ml_dtypes.float6_e2m3fn, 6, 2),
        (ml_dtypes.float6_e3m2fn, 6, 3),
    ],
)
def test_ml_dtypes_agrees(dtype: Any, width: int, exponent_width: int) -> None:
    x = awkward()
    x = x[np.abs(x) <= float(ml_dtypes.finfo(dtype).max)]
    quantize = quantizer(**config("ieee", width, exponent_width, None))
    same(quantize(torch.tensor(x)), x.astype(dtype).astype(np.float32), x)


@np.errstate(all="ignore")
def mase(kind: str, x: np.ndarray, width: int, exponent_width: int, bias: int) -> np.ndarray:
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
    quantize = quantizer(**config(kind, *size), mode="mase")
    bias = bias_of(exponent_width, exponent_bias)
    same(quantize(torch.tensor(x)), mase(kind, x, width, exponent_width, bias), x)


def test_erratum_8_mase_does_not_carry() -> None:
    """A number just below a power of two has to be rounded up to it."""
    x = torch.tensor([0.99])
    for kind, stuck in (("ieee", 0.9375), ("denorm", 0.875)):
        assert quantizer(**config(kind, 8, 4, None))(x).item() == 1.0
        assert quantizer(**config(kind, 8, 4, None), mode="mase")(x).item() == stuck
