"""MXINT8 against the specification, decoded by independent software."""

import gfloat
import ml_dtypes
import numpy as np
import torch
from gfloat.formats import format_info_ocp_int8

from tests.unit.formats.values import awkward, quantizer, same

GROUP = 32
QUANTIZE = quantizer("mxint8")


def groups() -> np.ndarray:
    x = awkward()
    x = x[: len(x) // GROUP * GROUP].reshape(-1, GROUP)
    alike = np.random.default_rng(0).standard_normal(x.shape)
    x[1::2] = (alike * np.exp2(np.random.default_rng(1).integers(-20, 20, (len(x), 1))))[1::2]
    x[3] = 0
    x[5] = np.ldexp(alike[5], -140)  # below the smallest scale's own powers of two
    return x


def test_a_million_numbers_are_exact() -> None:
    """The scales are decoded by ml_dtypes, the elements by gfloat."""
    x = groups()
    _, exponents = np.frexp(np.abs(x).max(1, keepdims=True))
    codes = np.clip(exponents - 1 + 127, 0, 254).astype(np.uint8)
    scales = codes.view(ml_dtypes.float8_e8m0fnu).astype(np.float64)
    elements = np.clip(np.rint(x.astype(np.float64) / scales * 64), -127, 127).astype(np.int8)
    each = (gfloat.decode_float(format_info_ocp_int8, code) for code in range(256))
    decoded = np.array([one.fval for one in each])
    expected = (decoded[elements.view(np.uint8)] * scales).astype(np.float32)
    same(QUANTIZE(torch.tensor(x)), expected, x)


def test_a_group_with_infinity_or_nan_becomes_nan() -> None:
    x = torch.ones(3, GROUP)
    x[0, 5], x[1, 6] = float("inf"), float("nan")
    assert QUANTIZE(x)[:2].isnan().all()
    assert (QUANTIZE(x)[2] == 1).all()


def test_erratum_13_mase_saturates_where_the_largest_value_is_a_power_of_two() -> None:
    x = torch.full((1, GROUP), 0.25)
    assert (QUANTIZE(x) == 0.25).all()
    assert (quantizer("mxint8", mode="mase")(x) == 0.25 * 127 / 128).all()


def test_bits_count_the_scale() -> None:
    assert QUANTIZE.bits((4, 64)) == 8 + 8 / 32
