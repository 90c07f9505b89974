"""Every code decodes to its value, and every value encodes to its code."""

import gfloat
import gfloat.formats
import numpy as np
import pytest
import torch
from conftest import devices, everywhere, flushing
from grid import every
from reference import FLOATS, all_codes, codes, decode, encode, normal, same, special_values

import mxint_cuda


def check_decoding(
    mantissa: torch.Tensor, exponent: torch.Tensor, size: int, dtype: torch.dtype, device: str
) -> None:
    values = mxint_cuda.dequantize(mantissa.to(device), exponent.to(device), size, dtype).cpu()
    assert same(values, decode(mantissa, exponent, size).to(dtype))


def check_encoding(x: torch.Tensor, size: int, device: str = "cpu") -> None:
    for found, wanted in zip(mxint_cuda.quantize(x.to(device), size), encode(x, size), strict=True):
        assert torch.equal(found.cpu(), wanted)


@everywhere
@every(size=[4, 8, 16, 32, 64, 256], dtype=FLOATS)
def test_all_codes_decode_to_their_values(size: int, dtype: torch.dtype, device: str) -> None:
    mantissa, exponent = all_codes()
    # Groups beside each other have different exponents.
    exponent = ((exponent.int() + 37 * torch.arange(256 // size)) % 256).to(torch.uint8)
    check_decoding(mantissa, exponent, size, dtype, device)


def test_gfloat_decodes_all_codes_to_the_same_values() -> None:
    mantissa, exponent = all_codes()
    values = mxint_cuda.dequantize(mantissa, exponent, 256, torch.float32).double().numpy()
    formats = gfloat.formats.format_info_ocp_int8, gfloat.formats.format_info_ocp_e8m0
    element, scale = ([gfloat.decode_float(one, i).fval for i in range(256)] for one in formats)
    expected = np.outer(scale, np.roll(element, 128))
    expected[254, 0] = -np.inf  # -2^128, the only value that float32 does not have
    np.testing.assert_array_equal(values, expected)


@everywhere
@every(
    # The last are more groups than are encoded at a time.
    shape=[
        (7, columns, size)
        for columns in (1, 31, 512, 1000)
        for size in (1, 2, 7, 8, 16, 32, 33, 96, 512, 2**60, 2**63 - 1)
    ]
    + [(37, 2208, size) for size in (7, 33, 96)]
    + [(3, 70000, size) for size in (1093, 1100, 20000)],
    dtype=FLOATS,
)
def test_rows_of_any_length_encode_and_decode(
    shape: tuple[int, int, int], dtype: torch.dtype, device: str
) -> None:
    rows, columns, size = shape
    check_encoding(normal(rows, columns, size % 1000).to(dtype), size, device)
    check_decoding(*codes(rows, columns, size), size, dtype, device)


@pytest.mark.usefixtures("level")
@every(shape=[(4104, 8), (4096, 16), (4096, 32), (4096, 96), (4095, 32)], dtype=FLOATS)
def test_large_results_are_those_of_their_parts(shape: tuple[int, int], dtype: torch.dtype) -> None:
    columns, size = shape
    # More than 64 MiB, which are written past the caches where that is possible: of groups of 8 an
    # odd number to each of two threads, so that the second does not begin with a line.
    rows = 16400 // dtype.itemsize + 2
    mantissa = torch.arange(256).to(torch.int8).repeat(rows * columns // 256 + 1)
    mantissa = mantissa[: rows * columns].view(rows, columns)
    exponent = torch.arange(rows * -(-columns // size)).to(torch.uint8).view(rows, -1)
    values = mxint_cuda.dequantize(mantissa, exponent, size, dtype)
    for start in range(0, rows, 1025):
        part = slice(start, start + 1025)
        found = mxint_cuda.dequantize(mantissa[part], exponent[part], size, dtype)
        assert same(values[part], found)


@everywhere
@every(dtype=FLOATS)
def test_a_million_values_encode_as_in_float64(dtype: torch.dtype, device: str) -> None:
    check_encoding(special_values().to(dtype), 32, device)
    check_encoding(normal(1000, 1024, 1).to(dtype), 32, device)
    wide = torch.empty(1000, 32).uniform_(-131, 127, generator=torch.Generator().manual_seed(2))
    check_encoding(wide.exp2().to(dtype), 32, device)


@everywhere
def test_groups_of_one_scale_encode_as_in_float64(device: str) -> None:
    # Values of one group within a few binades of each other, for every exponent: ties, and maxima
    # on both sides of a power of two.
    generator = np.random.default_rng(3)
    scale = 2.0 ** np.arange(-149, 128)[:, None]
    # Ties are at odd multiples of 1 / 128.
    steps = generator.integers(-520, 521, (scale.size, 32 * 8)) / 256
    x = torch.from_numpy(steps * scale).float()
    check_encoding(x, 32, device)
    below_one = np.nextafter(np.float32(1), np.float32(0))
    for largest in (np.float32(1), below_one, 127.5 / 64, 1.9999999):
        group = np.minimum(np.abs(steps) / 3, 0.9)
        group[:, ::32] = largest
        check_encoding(torch.from_numpy(group * scale).float(), 32, device)


@pytest.mark.usefixtures("level")
@every(dtype=[torch.bfloat16, torch.float16])
def test_every_number_of_16_bits_encodes_alone(dtype: torch.dtype) -> None:
    x = torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype)
    check_encoding(x, 1)
    check_encoding(x[:, None].repeat(1, 3), 32)


@pytest.mark.parametrize(
    ("values", "exponent", "mantissa"),
    [
        ([0.0, -0.0], 0, [0, 0]),
        ([1.0, -1.0], 127, [64, -64]),
        ([1.99999, -1.99999], 127, [127, -127]),  # clamped: 128 is no code, and -128 not emitted
        ([float("inf"), 1.0], 255, [0, 0]),
        ([float("nan"), 1.0], 255, [0, 0]),
        ([2.0**-127, 2.0**-149], 0, [64, 0]),
        ([2.0**-133, 2.0**-134], 0, [1, 0]),  # a tie: to even
        ([3.4e38, 2.0**127], 254, [127, 64]),
    ],
)
def test_examples(values: list[float], exponent: int, mantissa: list[int]) -> None:
    m, e = mxint_cuda.quantize(torch.tensor(values))
    assert (e.tolist(), m.tolist()) == ([exponent], mantissa)


@pytest.mark.usefixtures("level")
@every(dtype=FLOATS)
def test_a_thread_that_flushes_subnormal_numbers_converts_as_any_other(dtype: torch.dtype) -> None:
    mantissa, exponent = all_codes()
    values = decode(mantissa, exponent, 256).to(dtype)
    encoded = encode(values, 32)
    with flushing():
        assert same(mxint_cuda.dequantize(mantissa, exponent, 256, dtype), values)
        for found, wanted in zip(mxint_cuda.quantize(values, 32), encoded, strict=True):
            assert torch.equal(found, wanted)


@pytest.mark.parametrize("device", devices())
@every(step=[1, 2])
def test_results_fill_the_tensors_that_are_given(step: int, device: str) -> None:
    x = torch.randn(6, 70, generator=torch.Generator().manual_seed(5)).to(device)
    mantissa = torch.zeros(6, 70 * step, dtype=torch.int8, device=device)[:, ::step]
    exponent = torch.zeros(6, 3 * step, dtype=torch.uint8, device=device)[:, ::step]
    values = torch.zeros(6, 70 * step, dtype=torch.float16, device=device)[:, ::step]
    out = (mantissa, exponent)
    assert mxint_cuda.quantize(x, 32, out=out) is out
    for filled, new in zip(out, mxint_cuda.quantize(x, 32), strict=True):
        assert torch.equal(filled, new)
    assert mxint_cuda.dequantize(*out, 32, torch.float16, out=values) is values
    assert torch.equal(values, mxint_cuda.dequantize(*out, 32, torch.float16))
