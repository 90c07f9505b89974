"""Formats whose numbers share an exponent or a scale, against exact arithmetic or software."""

import math
from fractions import Fraction
from typing import Any

import gfloat
import ml_dtypes
import numpy as np
import pytest
import torch
from gfloat.formats import format_info_ocp_int8

from labs.formats.names import FORMATS
from tests.unit.formats.test_scalar import minifloat_of_mase, values_ieee
from tests.unit.formats.values import awkward, nearest_of, quantizer, same

BLOCK = 16


def rows_of(x: np.ndarray, size: int) -> np.ndarray:
    return x[: len(x) // size * size].reshape(-1, size)


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    """A million numbers in blocks; in every other block they have similar magnitudes."""
    x = rows_of(awkward(), BLOCK)
    alike = np.random.default_rng(1).standard_normal(x.shape).astype(np.float32)
    x[1::2] = alike[1::2] * np.exp2(np.random.default_rng(2).integers(-20, 9, (len(x), 1)))[1::2]
    x[1:200:2, 0] = 8 * np.abs(x[1:200:2]).max(1)  # the others become small beside it
    x[201:400:2] = np.exp2(np.floor(np.log2(np.abs(x[201:400:2]))))  # powers of two as maxima
    x[401:500:2] = 0
    return x.astype(np.float32)


def ceil_log2(number: float | Fraction) -> int:
    """Return the binary logarithm, rounded up, in exact arithmetic."""
    exact = Fraction(number)
    if exact == 0:
        return 0
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    while Fraction(2) ** exponent < exact:
        exponent += 1
    while exact <= Fraction(2) ** (exponent - 1):
        exponent -= 1
    return exponent


@pytest.mark.parametrize(
    ("width", "exponent_width", "bias"), [(8, 8, None), (4, 8, None), (12, 4, None), (6, 3, 9)]
)
def test_block_fp(rows: np.ndarray, width: int, exponent_width: int, bias: int | None) -> None:
    quantize = quantizer(
        "block_fp", width=width, exponent_width=exponent_width, exponent_bias=bias, block_size=BLOCK
    )
    used = 2 ** (exponent_width - 1) - 1 if bias is None else bias
    most = 2 ** (width - 1) - 1
    shared = np.array([ceil_log2(float(row.max())) for row in np.abs(rows)])
    maxima = np.rint(np.ldexp(np.abs(rows).max(1).astype(np.float64), width - 1 - shared))
    shared = np.clip(shared + (maxima > most), -used, 2**exponent_width - 1 - used)[:, None]
    mantissas = np.rint(np.ldexp(np.abs(rows.astype(np.float64)), width - 1 - shared))
    mantissas = np.minimum(mantissas, most)
    expected = np.copysign(np.ldexp(mantissas, shared - width + 1), rows).astype(np.float32)
    same(quantize(torch.tensor(rows)), expected, rows)


@pytest.mark.parametrize(
    ("width", "exponent_width", "bias_width"), [(8, 4, 8), (6, 2, 4), (8, 3, 1)]
)
def test_block_minifloat(
    rows: np.ndarray, width: int, exponent_width: int, bias_width: int
) -> None:
    grid = values_ieee(width, exponent_width, 2 ** (exponent_width - 1) - 1)
    reach = 2 ** (bias_width - 1)
    maxima = np.abs(rows).max(1)
    shifts = np.array([ceil_log2(Fraction(float(m)) / Fraction(float(grid[-1]))) for m in maxima])
    shifts = np.clip(shifts, -reach, reach - 1)
    expected = np.empty_like(rows)
    for shift in np.unique(shifts):
        chosen = shifts == shift
        expected[chosen] = nearest_of(np.ldexp(grid, shift), rows[chosen])
    sizes = {"width": width, "exponent_width": exponent_width, "exponent_bias_width": bias_width}
    quantize = quantizer("block_minifloat", **sizes, block_size=BLOCK)
    same(quantize(torch.tensor(rows)), expected, rows)


@pytest.mark.parametrize(("width", "bias_width"), [(8, 8), (4, 4), (5, 2)])
def test_block_log(rows: np.ndarray, width: int, bias_width: int) -> None:
    maxima = np.abs(rows).max(1, keepdims=True)
    maxima[maxima == 0] = maxima[maxima != 0].min()
    largest = np.array([ceil_log2(float(m)) for m in maxima[:, 0]])[:, None]
    bias = np.clip(2 ** (width - 1) - 1 - largest, 0, 2**bias_width - 1).astype(np.float64)
    wide, smallest = rows.astype(np.float64), 0.1 * np.exp2(-bias)
    nearest = np.rint(np.log2(np.abs(wide) + smallest))
    exponent = np.clip(nearest, -bias, 2 ** (width - 1) - 1 - bias)
    expected = (np.sign(wide + smallest) * np.exp2(exponent)).astype(np.float32)
    quantize = quantizer("block_log", width=width, exponent_bias_width=bias_width, block_size=BLOCK)
    same(quantize(torch.tensor(rows)), expected, rows)


def test_mase_block_fp_is_its_formula(rows: np.ndarray) -> None:
    one = np.float32
    rows = rows[np.abs(rows).max(1) < 2.0**127]  # 2**128 is infinite in float32
    maxima = np.abs(rows).max(1, keepdims=True)
    maxima[maxima == 0] = maxima[maxima != 0].min()
    power = np.ldexp(one(1), np.clip(np.ceil(np.log2(maxima)), -127, 128).astype(int))
    mantissa = np.clip(np.rint((np.abs(rows) + one(1e-9)) / power * one(128)), 0, 127) / one(128)
    expected = np.sign(rows + one(1e-9)) * power * mantissa
    expected = np.where(np.abs(rows) <= one(1e-8), rows, expected).astype(np.float32)
    quantize = quantizer("block_fp", **FORMATS["block_fp"], mode="mase")
    same(quantize(torch.tensor(rows)), expected, rows)


def test_mase_block_minifloat_is_its_formula(rows: np.ndarray) -> None:
    maxima = np.abs(rows).max(1)
    maxima[maxima == 0] = maxima[maxima != 0].min()
    biases = np.clip(np.floor(np.log2(maxima)), 0, 255)
    expected = np.empty_like(rows)
    for bias in np.unique(biases):
        chosen = biases == bias
        expected[chosen] = minifloat_of_mase("ieee", rows[chosen], 8, 4, int(bias))
    quantize = quantizer("block_minifloat", **FORMATS["block_minifloat"], mode="mase")
    same(quantize(torch.tensor(rows)), expected, rows)


def test_erratum_7_the_inverted_bias_loses_nearly_all_weights() -> None:
    weights = torch.randn(64, 64, generator=torch.Generator().manual_seed(0)) * 0.02
    kept, lost = (
        quantizer("block_minifloat", **FORMATS["block_minifloat"], mode=mode)(weights)
        .count_nonzero()
        .item()
        for mode in ("nearest", "mase")
    )
    assert kept > 4000 and lost < 40


BLOCK_FP: dict[str, Any] = {"name": "block_fp", "width": 4, "exponent_width": 8}


def test_erratum_9_a_list_of_one_number_spans_all_rows_in_mase_mode() -> None:
    x = torch.ones(4, 32)
    x[0, 0] = 100
    rows_and_columns = quantizer(**BLOCK_FP, block_size=[16], mode="mase")(x)
    assert (rows_and_columns[:, :16] == 0).sum() == 4 * 16 - 1
    along_rows = quantizer(**BLOCK_FP, block_size=[1, 16], mode="mase")(x)
    assert (along_rows == 0).sum() == 15


@pytest.mark.parametrize("shape", [(7,), (3, 7), (2, 3, 7), (2, 3, 4, 9)])
@pytest.mark.parametrize("block_size", [1, 4, [1, 4], 100])
def test_blocks_run_along_the_last_dimension(shape: tuple[int, ...], block_size: Any) -> None:
    """Each block of each row is quantized on its own, incomplete ones too."""
    x = torch.randn(shape, generator=torch.Generator().manual_seed(0))
    quantize = quantizer(**BLOCK_FP, block_size=block_size)
    size = block_size[1] if isinstance(block_size, list) else block_size
    rows = x.reshape(-1, shape[-1])
    parts = [torch.cat([quantize(part) for part in row.split(size)]) for row in rows]
    assert torch.equal(quantize(x), torch.stack(parts).reshape(shape))


def test_a_batch_never_shares_a_block_in_mase_mode() -> None:
    x = torch.randn(3, 5, 20, generator=torch.Generator().manual_seed(0))
    quantize = quantizer(**BLOCK_FP, block_size=[16], mode="mase")
    assert torch.equal(quantize(x), torch.stack([quantize(one) for one in x]))


def test_the_shared_exponent_is_amortised() -> None:
    bits = quantizer(**BLOCK_FP, block_size=16).bits
    assert bits((8, 32)) == 4 + 8 / 16
    assert math.isclose(bits((1, 17)), 4 + 2 * 8 / 17)


GROUP = 32
QUANTIZE = quantizer("mxint8")


def test_mxint8() -> None:
    """The scales are decoded by ml_dtypes, the elements by gfloat."""
    x = rows_of(awkward(), GROUP)
    alike = np.random.default_rng(0).standard_normal(x.shape)
    x[1::2] = (alike * np.exp2(np.random.default_rng(1).integers(-20, 20, (len(x), 1))))[1::2]
    x[3] = 0
    x[5] = np.ldexp(alike[5], -140)  # below the smallest scale's own powers of two
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
