"""Linear layers against float64, for every instruction set and shape that takes another path."""

from typing import Any

import pytest
import torch
from conftest import everywhere, flushing, lacking_levels
from grid import every, pairwise
from mxint_cuda.functional import cpu_level
from reference import EPSILON, FLOATS, every_mantissa, multiply, normal, same, with_nan

import mxint_cuda


def check(x: torch.Tensor, weight: torch.Tensor, size: int, device: str) -> None:
    """Compare the product of two quantized matrices with the one of their decoded values."""
    check_packed(x.to(device), *mxint_cuda.quantize(weight.to(device), size), size)


def check_packed(
    x: torch.Tensor, mantissa: torch.Tensor, exponent: torch.Tensor, size: int
) -> None:
    """As check, with a weight that is packed already."""
    bias = torch.linspace(-1, 1, len(mantissa), device=x.device)
    y = mxint_cuda.linear(x, mantissa, exponent, bias, size, "mxint8").double()
    decoded_x = decoded(x, size)
    decoded_weight = mxint_cuda.dequantize(mantissa, exponent, size, torch.float32).double()
    exact, magnitude = multiply(decoded_x, decoded_weight, bias)
    # Sums are exact within a run of at least four inputs of a group, and float32 beyond.
    runs = -(-x.shape[-1] // min(size, 64))
    assert y.shape == exact.shape
    assert ((y - exact).abs() <= magnitude * (runs + 2) * EPSILON).all()


def decoded(values: torch.Tensor, size: int) -> torch.Tensor:
    """Return what remains of the values in MXINT8."""
    return mxint_cuda.dequantize(*mxint_cuda.quantize(values, size), size, torch.float32).double()


@everywhere
@pairwise(
    inputs=[4, 60, 64, 100, 640, 2208],
    size=[1, 4, 8, 16, 20, 32, 33, 64, 96, 128, 1024, 2**60],
    rows=[1, 2, 3, 4, 9, 70],
)
def test_integer_products_are_those_of_the_decoded_values(
    inputs: int, size: int, rows: int, device: str
) -> None:
    check(normal(rows, inputs, size), normal(37, inputs, rows), size, device)


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("level", ["amx"], indirect=True)
@every(inputs=[20, 64, 100, 192, 2208], size=[32, 64, 96], rows=[9, 16, 17, 128, 129])
def test_tiles_give_the_same_bits_as_registers(inputs: int, size: int, rows: int) -> None:
    x, packed = normal(rows, inputs, 1), mxint_cuda.quantize(normal(37, inputs, 2), size)
    found = []
    for name in ("avx512", "amx"):
        assert cpu_level(name) == name
        found.append(mxint_cuda.linear(x, *packed, None, size, "mxint8"))
    assert same(*found)


@everywhere
@every(rows=[1, 4, 9])
def test_the_largest_products_do_not_overflow(rows: int, device: str) -> None:
    for size in (32, 64, 4096):
        x = torch.full((rows, 4096), -127 / 64)
        check(x, torch.full((20, 4096), 127 / 64), size, device)


@everywhere
@every(size=[4, 32, 33, 64, 640], rows=[1, 4, 9])
def test_the_mantissa_that_the_encoder_never_emits(size: int, rows: int, device: str) -> None:
    weight = [t.to(device) for t in every_mantissa(size)]
    for x in (normal(rows, 640, 1), torch.full((rows, 640), -127 / 64)):
        check_packed(x.to(device), *weight, size)


@everywhere
@every(
    exponents=[
        (-120, 120),
        (120, -120),
        (115, -110),
        (100, 20),
        (-60, -60),
        (-126, 5),
        (-120, 124),  # whose scales are the largest that tiles take
        (-120, 125),
    ],
    rows=[1, 4, 9],
)
def test_scales_from_end_to_end_of_their_range(
    exponents: tuple[int, int], rows: int, device: str
) -> None:
    x, weight = normal(rows, 256, 1).clamp(-7, 7), normal(20, 256, 2).clamp(-7, 7)
    check(x * 2.0 ** exponents[0], weight * 2.0 ** exponents[1], 32, device)


@everywhere
@every(power=[-55, -61, -67, -69], rows=[1, 2, 9], size=[4, 32, 33])
def test_small_results_keep_their_bits(power: int, rows: int, size: int, device: str) -> None:
    values = torch.full((20, 32), 65 / 64 * 2.0**power, device=device)
    y = mxint_cuda.linear(values[:rows], *mxint_cuda.quantize(values, size), None, size, "mxint8")
    exact = 32 * values[:rows, :1].double() ** 2  # an integer of 18 bits times a power of two
    # Groups for which the GPU has no kernel are multiplied by cuBLAS, in float32: each product
    # below 2^-126 is rounded to a multiple of 2^-149.
    rounded = 32 * 2.0**-150 if device == "cuda" and size % 8 else 0.0
    assert ((y.double() - exact).abs() <= rounded).all()


@everywhere
@every(inputs=[65, 256, 320], size=[32, 33], rows=[1, 4, 9])
def test_a_group_of_nan_makes_its_row_or_column_nan(
    inputs: int, size: int, rows: int, device: str
) -> None:
    x, weight, expected = with_nan(rows, inputs)
    packed = mxint_cuda.quantize(weight.to(device), size)
    y = mxint_cuda.linear(x.to(device), *packed, None, size, "mxint8").cpu()
    assert torch.equal(y.isnan(), expected)


def check_float(
    x: torch.Tensor, weight: torch.Tensor, size: int, bias: torch.Tensor | None = None
) -> None:
    """Compare the product with float activations with the one of the decoded weight."""
    y = mxint_cuda.linear(x, *mxint_cuda.quantize(weight, size), bias, size)
    assert y.dtype == x.dtype
    exact, magnitude = multiply(x, decoded(weight, size), bias)
    of_y = torch.finfo(x.dtype).eps if x.dtype != torch.float32 else 0.0
    allowed = magnitude * x.shape[1] * EPSILON + exact.abs() * of_y
    assert ((y.double() - exact).abs() <= allowed).all()


@everywhere
@every(outputs=[1, 20, 4100], rows=[1, 3, 4, 33], dtype=FLOATS)
def test_float_activations_meet_the_decoded_weight(
    outputs: int, rows: int, dtype: torch.dtype, device: str
) -> None:
    x, weight = normal(rows, 300, 1).to(dtype), normal(outputs, 300, 2)
    bias = torch.randn(outputs, device=device).to(dtype)
    check_float(x.to(device), weight.to(device), 32, bias)


@everywhere
@pairwise(
    inputs=[1, 60, 64, 100, 640],
    size=[1, 4, 8, 16, 20, 32, 64, 96, 128, 2**60],
    rows=[1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 17, 30, 70],
)
def test_float_activations_meet_groups_of_every_size(
    inputs: int, size: int, rows: int, device: str
) -> None:
    x, weight = normal(rows, inputs, size % 97), normal(37, inputs, rows)
    check_float(x.to(device), weight.to(device), size)


@everywhere
@every(inputs=[20, 100, 2208], rows=[5, 17, 129], dtype=FLOATS)
def test_many_rows_of_floats_meet_the_decoded_weight(
    inputs: int, rows: int, dtype: torch.dtype, device: str
) -> None:
    x, weight = normal(rows, inputs, 1).to(dtype), normal(37, inputs, 2)
    check_float(x.to(device), weight.to(device), 32, torch.ones(37, dtype=dtype, device=device))


@everywhere
@every(rows=[5, 64], exponent=[67, 127, 147])  # the ends of what tiles take
def test_a_float_times_any_mantissa_is_exact(rows: int, exponent: int, device: str) -> None:
    mantissa = torch.arange(-128, 128, dtype=torch.int8).repeat(64, 1).T.contiguous()
    exponents = torch.full((256, 2), exponent, dtype=torch.uint8)
    packed = mantissa.to(device), exponents.to(device)
    x = (torch.eye(64)[:rows] * (1 + 2.0**-23)).to(device)
    expected = mxint_cuda.dequantize(*packed, 32, torch.float32).T[:rows] * (1 + 2.0**-23)
    assert torch.equal(mxint_cuda.linear(x, *packed, None, 32), expected)


@everywhere
@every(apart=[100, 117, 118, 140], exponent=[66, 67], rows=[5, 17])  # tiles take 117, and 67
def test_a_small_number_beside_a_large_one_keeps_its_bits(
    apart: int, exponent: int, rows: int, device: str
) -> None:
    small = (1 + 2.0**-23) * 2.0 ** (80 - apart)
    x = torch.zeros(rows, 64)
    x[:, 0], x[:, 32] = small, 2.0**80
    # One weight meets the small number, and a group of zeros the large one.
    mantissa = torch.zeros(20, 64, dtype=torch.int8)
    mantissa[:, 0] = 1
    exponents = torch.tensor([[exponent, 0]] * 20, dtype=torch.uint8)
    y = mxint_cuda.linear(x.to(device), mantissa.to(device), exponents.to(device), None, 32)
    assert y.cpu().eq(small * 2.0 ** (exponent - 133)).all()


@everywhere
@every(
    powers=[
        (0, -59),  # the least weights that tiles take, and those below
        (0, -63),
        (0, 17),  # the largest, and those above
        (0, 20),
        (120, -59),
        (118, 0),
        (-100, 17),
        (-145, 17),
        (-40, -80),
    ],
    rows=[1, 5, 17],
)
def test_floats_and_weights_from_end_to_end_of_their_ranges(
    powers: tuple[int, int], rows: int, device: str
) -> None:
    x, weight = normal(rows, 256, 1).clamp(-7, 7), normal(20, 256, 2).clamp(-7, 7)
    check_float((x * 2.0 ** powers[0]).to(device), (weight * 2.0 ** powers[1]).to(device), 32)


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("level", ["amx"], indirect=True)
@every(
    case=[
        (5, 32, 1.0, 0.0, True),
        (5, 96, 1.0, 0.0, True),
        (5, 32, 1.0, 2.0**-110, True),
        (4, 32, 1.0, 0.0, False),
        (5, 16, 1.0, 0.0, False),
        (5, 32, 2.0**-70, 0.0, False),
        (5, 32, 2.0**25, 0.0, False),
        (5, 32, 1.0, 2.0**-125, False),
        (5, 32, 1.0, torch.inf, False),
    ]
)
def test_tiles_take_floats_that_are_not_too_far_apart(
    case: tuple[int, int, float, float, bool],
) -> None:
    rows, size, weight, one_of_x, taken = case
    x = normal(rows, 2208, 1)
    x[0, 0] = one_of_x
    packed = mxint_cuda.quantize(weight * normal(37, 2208, 2).where(normal(37, 1, 3) > 0, 0), size)
    found = []
    for name in ("avx512", "amx"):  # which add up in another order
        assert cpu_level(name) == name
        found.append(mxint_cuda.linear(x, *packed, None, size))
    assert same(*found) != taken


@everywhere
@every(weight=[1e5, 2.0**-30], rows=[1, 3, 4, 17], size=[32, 33])
def test_a_weight_may_be_beyond_the_range_of_float16(
    weight: float, rows: int, size: int, device: str
) -> None:
    weights = torch.full((5, 66), weight, device=device)
    x = torch.full((rows, 66), 100 / weight, device=device).clamp(max=1024).half()
    bias = torch.ones(5, dtype=torch.float16, device=device)
    check_float(x, weights, size)
    check_float(x, weights, size, bias)
    y = mxint_cuda.linear(0 * x, *mxint_cuda.quantize(weights, size), bias, size)
    assert torch.equal(y, bias.expand(rows, 5))


@pytest.mark.usefixtures("level")
@every(
    # Without strips many rows of floats are multiplied by torch, which itself flushes weights that
    # are subnormal: those of such rows are normal, though their scale is not.
    case=[
        (1, "float", 2.0**-127),
        (5, "float", 127 / 64 * 2.0**-126),
        (1, "mxint8", 2.0**-127),
        (9, "mxint8", 2.0**-127),
    ]
)
def test_a_thread_that_flushes_subnormal_numbers_multiplies_as_any_other(
    case: tuple[int, Any, float],
) -> None:
    rows, activations, weight = case
    packed = mxint_cuda.quantize(torch.full((70, 3200), weight))
    x = torch.full((rows, 3200), 2.0**28)
    expected = mxint_cuda.linear(x, *packed, activations=activations)
    assert expected.all()
    with flushing():
        assert same(mxint_cuda.linear(x, *packed, activations=activations), expected)


@everywhere
@every(inputs=[65, 256, 300], rows=[1, 5, 20])
def test_a_group_of_nan_makes_its_column_nan_for_float_activations(
    inputs: int, rows: int, device: str
) -> None:
    x, weight = normal(rows, inputs, 1).to(device), normal(20, inputs, 2)
    weight[3, -1] = torch.nan
    packed = mxint_cuda.quantize(weight.to(device), 32)
    expected = torch.zeros(rows, 20, dtype=torch.bool)
    expected[:, 3] = True
    assert torch.equal(mxint_cuda.linear(x, *packed).isnan().cpu(), expected)


@everywhere
@every(rows=[1, 3, 5], dtype=FLOATS)
def test_float_activations_may_be_nan_or_infinite(
    rows: int, dtype: torch.dtype, device: str
) -> None:
    x, weight = normal(rows, 300, 1), normal(20, 300, 2)
    x[0, 299] = torch.inf
    x[rows // 2, 7] = -torch.inf
    x[rows - 1, 40] = torch.nan
    weight[4, 299] = 0
    packed = mxint_cuda.quantize(weight.to(device), 32)
    y = mxint_cuda.linear(x.to(dtype).to(device), *packed).double().cpu()
    exact, _ = multiply(x, decoded(weight, 32))
    special = ~exact.isfinite()
    torch.testing.assert_close(y[special], exact[special], equal_nan=True)
    assert y[~special].isfinite().all()


def test_the_benchmark_multiplies_bytes_where_the_instructions_in_use_do(level: str) -> None:
    x, mantissa = torch.ones(2, 64), torch.ones(8, 64, dtype=torch.int8)
    found = torch.ops.mxint_cuda.multiply(x, mantissa)
    assert (found > 0) == (level != "portable")


def test_an_emulated_instruction_set_is_used_only_where_it_is_asked_for() -> None:
    assert cpu_level() not in lacking_levels()
