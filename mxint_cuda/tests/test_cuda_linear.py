"""The CUDA kernels of linear layers, run on the CPU, against float64."""

import pytest
import torch
from cuda_on_host.library import CAPABILITIES, Failure, OnHost
from grid import every, pairwise
from reference import (
    EPSILON,
    FLOATS,
    Pair,
    all_codes,
    decode,
    encode,
    every_mantissa,
    multiply,
    normal,
    same,
    special_values,
    with_nan,
)


def check(
    on_host: OnHost,
    x: torch.Tensor | Pair,
    weight: Pair,
    size: int,
    dtype: torch.dtype,
    terms: int,
    bias: torch.Tensor | None = None,
) -> None:
    """Multiply on the host, and compare; ``terms`` are the roundings that a sum may take."""
    y = on_host.linear(x, weight, bias, size, dtype).double()
    left = decode(*x, size) if isinstance(x, tuple) else x
    exact, magnitude = multiply(left, decode(*weight, size), bias)
    allowed = magnitude * terms * EPSILON + exact.abs() * torch.finfo(dtype).eps
    assert ((y - exact).abs() <= allowed).all()


@pairwise(
    layer=[(8, 8), (64, 32), (104, 8), (640, 32), (2208, 96), (1032, 24), (4128, 32), (640, 640)],
    rows=range(1, 9),
    dtype=FLOATS,
    capability=CAPABILITIES,
)
def test_products_are_those_of_the_decoded_values(
    layer: tuple[int, int], rows: int, dtype: torch.dtype, capability: int, on_host: OnHost
) -> None:
    inputs, size = layer
    on_host.capability(capability)
    on_host.order(rows % 4)
    for outputs in (1, 4, 37) if inputs < 200 else (5,):
        x = normal(rows, inputs, size).to(dtype)
        weight = encode(normal(outputs, inputs, rows), size)
        bias = torch.linspace(-1, 1, outputs).to(dtype) if outputs > 1 else None
        before = on_host.launches()
        check(on_host, x, weight, size, dtype, inputs, bias)
        # Sums are exact within a run of at least eight inputs of a group.
        check(on_host, encode(x, size), weight, size, dtype, inputs // 8 + 3, bias)
        assert on_host.launches() == before + 2  # the weight is read once for all rows


def quantizes_alike(on_host: OnHost, x: torch.Tensor, outputs: int, size: int) -> bool:
    """Whether a row that the kernel quantizes gives the bits that it gives packed by encode."""
    weight = encode(normal(outputs, x.shape[1], size), size)
    bias = torch.linspace(-1, 1, outputs).to(x.dtype) if outputs > 1 else None
    y = on_host.linear(x, weight, bias, size, x.dtype, quantizing=True)
    return same(y, on_host.linear(encode(x, size), weight, bias, size, x.dtype))


@pairwise(groups=[1, 3, 9, 40], size=[8, 16, 32, 64, 128, 256, 512], outputs=[1, 37], dtype=FLOATS)
def test_one_row_may_be_quantized_on_the_way(
    groups: int, size: int, outputs: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    on_host.order(groups % 4)
    x = normal(1, min(groups * size, 4096), size).to(dtype)
    assert quantizes_alike(on_host, x, outputs, size)


@every(size=[8, 32, 128], dtype=FLOATS)
def test_one_row_of_special_values_is_quantized_as_quantize_does(
    size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    values = special_values()
    whole = values[:, : values.shape[1] // size * size]
    for x in (whole, whole.nan_to_num(0.0, 0.0, 0.0)):
        assert quantizes_alike(on_host, x.to(dtype).contiguous(), 5, size)


def check_on_tensor_cores(
    on_host: OnHost, rows: int, outputs: int, inputs: int, size: int, dtype: torch.dtype
) -> None:
    on_host.order(rows % 4)
    x = encode(normal(rows, inputs, size), size)
    weight = encode(normal(outputs, inputs, rows), size)
    bias = torch.linspace(-1, 1, outputs).to(dtype) if rows % 2 else None
    for capability in CAPABILITIES:
        on_host.capability(capability)
        # Sums are exact within 32 inputs.
        check(on_host, x, weight, size, dtype, inputs // 32 + 3, bias)


@every(rows=range(9, 65))
def test_tensor_cores_take_any_number_of_rows(rows: int, on_host: OnHost) -> None:
    check_on_tensor_cores(on_host, rows, 17, 64, 32, FLOATS[rows % 3])


@pairwise(
    layer=[(32, 32), (96, 64), (320, 32), (640, 640), (2208, 96)],
    outputs=[1, 16, 37],
    rows=[9, 61],
    dtype=FLOATS,
)
def test_tensor_cores_take_any_shape(
    layer: tuple[int, int], outputs: int, rows: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    inputs, size = layer
    check_on_tensor_cores(on_host, rows, outputs, inputs, size, dtype)


@pairwise(
    layer=[(32, 32), (96, 64), (320, 32), (640, 640), (2208, 96)],
    outputs=[1, 16, 37],
    rows=[2, 8, 9, 15, 17, 31, 32],
    dtype=[torch.bfloat16, torch.float16],
    multiprocessors=[1, 1000],
)
def test_tensor_cores_take_floats_of_16_bits(
    layer: tuple[int, int],
    outputs: int,
    rows: int,
    dtype: torch.dtype,
    multiprocessors: int,
    on_host: OnHost,
) -> None:
    inputs, size = layer
    on_host.order(rows % 4)
    on_host.multiprocessors(multiprocessors)
    x = normal(rows, inputs, size).to(dtype)
    weight = encode(normal(outputs, inputs, rows), size)
    bias = torch.linspace(-1, 1, outputs).to(dtype) if rows % 2 else None
    check(on_host, x, weight, size, dtype, inputs, bias)


@every(
    batch=[
        (65, torch.float16),
        (193, torch.float16),
        (71, torch.bfloat16),
        (128, torch.bfloat16),
        (193, torch.float32),
    ],
    multiprocessors=[1, 8, 1000],
)
def test_tensor_cores_take_more_rows_than_a_block(
    batch: tuple[int, torch.dtype], multiprocessors: int, on_host: OnHost
) -> None:
    rows, dtype = batch
    on_host.multiprocessors(multiprocessors)
    check_on_tensor_cores(on_host, rows, 17, 96, 32, dtype)


@every(
    example=[(16, 16, 9, 1), (17, 16, 1, 1), (64, 16, 1, 1), (64, 16, 2, 2), (64, 16, 3, 4)]
    + [(64, 16, 9, 4), (200, 16, 4, 4), (200, 16, 5, 7), (200, 16, 8, 7), (200, 16, 9, 13)]
    + [(200, 16, 99, 13), (9, 50, 1, 2), (9, 50, 2, 2), (9, 50, 3, 4), (9, 50, 9, 4)]
)
def test_rows_and_columns_are_shared_out_until_most_multiprocessors_have_a_block(
    example: tuple[int, int, int, int], on_host: OnHost
) -> None:
    rows, outputs, multiprocessors, blocks = example
    on_host.multiprocessors(multiprocessors)
    before = on_host.blocks()
    check_on_tensor_cores(on_host, rows, outputs, 32, 32, torch.float32)
    assert on_host.blocks() == before + blocks * len(CAPABILITIES)


@every(dtype=FLOATS)
def test_all_codes_meet_one(dtype: torch.dtype, on_host: OnHost) -> None:
    on_host.order(FLOATS.index(dtype))
    mantissa, exponent = all_codes()
    mantissa[254, 0] = -127  # -128 would be minus infinity, and infinity times zero is NaN
    expected = decode(mantissa, exponent, 256).to(dtype)
    for first in range(0, 256, 8):
        ones = torch.eye(256)[first : first + 8]
        for x in (ones.to(dtype), encode(ones, 256)):
            y = on_host.linear(x, (mantissa, exponent), None, 256, dtype).T
            assert same(y, expected[:, first : first + 8])


@every(
    exponents=[(-120, 120), (120, -120), (100, 20), (-60, -60), (-126, 5), (120, -150)],
    rows=[1, 5, 9],
)
def test_scales_from_end_to_end_of_their_range(
    exponents: tuple[int, int], rows: int, on_host: OnHost
) -> None:
    x = normal(rows, 256, 1).clamp(-7, 7) * 2.0 ** exponents[0]
    weight = normal(20, 256, 2).clamp(-7, 7) * 2.0 ** exponents[1]
    check(on_host, encode(x, 32), encode(weight, 32), 32, torch.float32, 10)


@every(together=range(-140, -110, 2), rows=[5, 9])
def test_small_outputs_keep_their_bits(together: int, rows: int, on_host: OnHost) -> None:
    half = together // 2
    x = encode(normal(rows, 256, 1).clamp(-7, 7) * 2.0**half, 32)
    weight = encode(normal(20, 256, 2).clamp(-7, 7) * 2.0 ** (together - half), 32)
    y = on_host.linear(x, weight, None, 32, torch.float32)
    exact, magnitude = multiply(decode(*x, 32), decode(*weight, 32))
    # Below 2^-126 numbers have the absolute precision of 2^-149; each of 16 runs and their sums may
    # be off by half of that.
    allowed = magnitude * 10 * EPSILON + 16 * 2.0**-149
    assert ((y.double() - exact).abs() <= allowed).all()


def filled(rows: int, mantissa: int, exponent: int) -> Pair:
    """Return rows of one group of 32."""
    exponents = torch.full((rows, 1), exponent, dtype=torch.uint8)
    return torch.full((rows, 32), mantissa, dtype=torch.int8), exponents


@every(rows=[1, 5, 9], huge=[237, 238, 254])
def test_a_huge_scale_of_one_column_meets_tiny_ones(rows: int, huge: int, on_host: OnHost) -> None:
    weight, scales = filled(20, -128, 140)
    scales[13] = huge
    y = on_host.linear(filled(rows, -128, 0), (weight, scales), None, 32, torch.float32)
    assert (y == 2.0 ** (19 + scales.T.float() - 2 * 133)).all()


@every(rows=[1, 5, 9])
def test_products_that_cancel_are_zero_whatever_their_scales(rows: int, on_host: OnHost) -> None:
    x = filled(rows, 64, 254)
    x[0][:, ::2] = -64
    y = on_host.linear(x, filled(20, 64, 254), None, 32, torch.float32)
    assert (y == 0).all()


@every(shape=[(r, s) for r in (1, 5) for s in (8, 32, 64, 640)] + [(9, 32), (9, 640)])
def test_the_mantissa_that_the_encoder_never_emits(shape: tuple[int, int], on_host: OnHost) -> None:
    rows, size = shape
    for x in (normal(rows, 640, 1), torch.full((rows, 640), -127 / 64)):
        check(on_host, encode(x, size), every_mantissa(size), size, torch.float32, 83)


@every(rows=[1, 5, 9], inputs=[64, 256, 320])
def test_a_group_of_nan_makes_its_row_or_column_nan(
    rows: int, inputs: int, on_host: OnHost
) -> None:
    x, weight, expected = with_nan(rows, inputs)
    y = on_host.linear(encode(x, 32), encode(weight, 32), None, 32, torch.float32)
    assert torch.equal(y.isnan(), expected)


def test_what_the_kernels_do_not_take_is_refused(on_host: OnHost) -> None:
    def refuses(
        x: torch.Tensor | Pair, size: int = 32, dtype: torch.dtype = torch.float32, **how: bool
    ) -> None:
        inputs = (x[0] if isinstance(x, tuple) else x).shape[1]
        with pytest.raises(Failure, match="not taken"):
            on_host.linear(x, encode(normal(4, inputs, 2), size), None, size, dtype, **how)

    refuses(normal(2, 60, 1))  # inputs, or a group, that are no multiple of eight
    refuses(normal(2, 64, 1), 12)
    refuses(normal(2, 65, 1).flatten()[1:129].view(2, 64))  # not aligned
    refuses(normal(9, 64, 1))  # many rows of floats
    refuses(encode(normal(9, 64, 1), 8), 8)  # tensor cores multiply by 32
    refuses(encode(normal(9, 80, 1), 32))
    refuses(encode(normal(129, 64, 1), 32), dtype=torch.bfloat16)  # cuBLAS is faster
    for inputs, size in ((192, 96), (80, 32), (1024, 1024)):  # quantized in a launch of their own
        refuses(normal(1, inputs, 1), size, quantizing=True)


@every(
    layer=[(1, 1), (100, 0), (4096, 4096), (11008, 4096), (151_936, 896)],
    rows=[9, 128, 129, 1000, 100_000],
    multiprocessors=[1, 20, 132, 148],
)
def test_a_piece_of_the_weight_keeps_all_multiprocessors_busy(
    layer: tuple[int, int], rows: int, multiprocessors: int, on_host: OnHost
) -> None:
    outputs, inputs = layer
    on_host.multiprocessors(multiprocessors)
    piece = on_host.outputs_per_piece(rows, outputs, inputs)
    across = -(-rows // 128)
    if piece < outputs:
        assert piece % 128 == 0
        assert piece // 128 * across >= multiprocessors
        assert (piece + 128) * inputs > 2**23
    # No more memory than twice what that takes.
    enough = max(2**23, (multiprocessors // across + 2) * 128 * inputs)
    assert 1 <= piece <= outputs
    assert piece * inputs <= 2 * enough


def test_before_8_0_bfloat16_stays_on_tensor_cores_where_cublas_takes_none(on_host: OnHost) -> None:
    on_host.capability(75)
    x, weight = (encode(normal(rows, 64, rows), 32) for rows in (129, 4))
    check(on_host, x, weight, 32, torch.bfloat16, 5)


@every(layer=[(16 * 65535 + 1, 32), (1, 2**24 + 32)])
def test_what_tensor_cores_do_not_count_is_refused(layer: tuple[int, int], on_host: OnHost) -> None:
    outputs, inputs = layer
    on_host.checked = False  # which would need memory for each byte
    x, weight = (
        (torch.zeros(n, inputs, dtype=torch.int8), torch.zeros(n, 1, dtype=torch.uint8))
        for n in (9, outputs)
    )
    with pytest.raises(Failure, match="not taken"):
        on_host.linear(x, weight, None, inputs, torch.float32)
