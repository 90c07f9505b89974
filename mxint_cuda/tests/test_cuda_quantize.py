"""The CUDA kernels that encode, run on the CPU: every number of 16 bits, shape and order."""

import numpy as np
import torch
from cuda_on_host.library import BACKWARD, FORWARD, RANDOM, OnHost, unwritten
from grid import every, pairwise
from reference import FLOATS, encode, normal, special_values

SIZES = [1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 64, 96, 128, 512, 600, 2**60, 2**63 - 1]


def check(
    on_host: OnHost,
    x: torch.Tensor,
    size: int,
    out: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> None:
    """Encode on the host, and compare with the specification."""
    mantissa, exponent = on_host.quantize(x, size, out)
    expected_mantissa, expected_exponent = encode(x, min(size, x.shape[1]))
    np.testing.assert_array_equal(exponent.numpy(), expected_exponent)
    np.testing.assert_array_equal(mantissa.numpy(), expected_mantissa)


@pairwise(
    shape=[(7, 1), (7, 31), (3, 512), (2, 1000), (37, 208), (5, 1008), (3, 4096), (1, 9000)],
    size=SIZES,
    dtype=FLOATS,
)
def test_rows_of_any_length_encode(
    shape: tuple[int, int], size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    rows, columns = shape
    on_host.order(size % 4)
    check(on_host, normal(rows, columns, size % 1000).to(dtype), size)


@every(
    dtype=[torch.bfloat16, torch.float16],
    size=[1, 8, 32],
    order=[FORWARD, BACKWARD, RANDOM, RANDOM + 1],
)
def test_every_number_of_16_bits_encodes(
    dtype: torch.dtype, size: int, order: int, on_host: OnHost
) -> None:
    on_host.order(order)
    check(on_host, torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype)[None], size)


@every(size=[1, 16, 32, 33], dtype=FLOATS)
def test_special_values_encode_as_in_float64(
    size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    check(on_host, special_values().to(dtype), size)


@pairwise(of_x=[0, 1, 2, 4], of_mantissa=[0, 1, 4, 8], size=[32, 33], dtype=FLOATS)
def test_tensors_may_begin_anywhere(
    of_x: int, of_mantissa: int, size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    x = normal(1, of_x + 4096, size).to(dtype)[:, of_x:]
    mantissa = unwritten(1, of_mantissa + 4096, torch.int8)[:, of_mantissa:]
    check(on_host, x, size, (mantissa, unwritten(1, -(-4096 // size), torch.uint8)))


@every(offset=[0, 1], dtype=FLOATS)
def test_a_thread_encodes_sixteen_elements(
    offset: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    x = normal(1, 102_400 + offset, 1).to(dtype)[:, offset:]
    before = on_host.blocks()
    on_host.quantize(x, 32)
    assert on_host.blocks() - before == 25  # of 256 threads


@every(size=[1, 8, 32, 33, 600], blocks=[1, 2])
def test_few_blocks_go_on_with_the_rest(size: int, blocks: int, on_host: OnHost) -> None:
    on_host.most_blocks(blocks)
    for columns in (600, 608):
        check(on_host, normal(61, columns, size).bfloat16(), size)


def test_more_elements_than_a_grid_has_threads(on_host: OnHost) -> None:
    on_host.checked = False  # it would take a gigabyte
    place = torch.arange(17_000_003)
    exponent, sign = (place % 251 + 1).to(torch.uint8), (place % 2 * 2 - 1).to(torch.int8)
    x = torch.ldexp(sign.float(), exponent.int() - 127).bfloat16()
    found = on_host.quantize(x[None], 1)
    assert torch.equal(found[0][0], 64 * sign)
    assert torch.equal(found[1][0], exponent)
