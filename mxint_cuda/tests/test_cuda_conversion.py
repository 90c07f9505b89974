"""The CUDA kernels that convert, run on the CPU: every code, number of 16 bits, shape and order."""

import pytest
import torch
from cuda_on_host.library import (
    BACKWARD,
    CAPABILITIES,
    FORWARD,
    RANDOM,
    Failure,
    OnHost,
    unwritten,
)
from grid import every, pairwise
from reference import FLOATS, Pair, all_codes, codes, decode, encode, normal, same, special_values

ORDERS = [FORWARD, BACKWARD, RANDOM, RANDOM + 1]
needs_cute = pytest.mark.usefixtures("cute")


@pytest.fixture
def cute(on_host: OnHost) -> None:
    if not on_host.has_cute:
        pytest.skip("the headers of CUDA and CuTe are not here")


def check_encoding(on_host: OnHost, x: torch.Tensor, size: int, out: Pair | None = None) -> None:
    """Encode on the host, and compare with the specification."""
    for found, wanted in zip(on_host.quantize(x, size, out), encode(x, size), strict=True):
        assert torch.equal(found, wanted)


def check_decoding(
    on_host: OnHost,
    mantissa: torch.Tensor,
    exponent: torch.Tensor,
    size: int,
    dtype: torch.dtype,
    algorithm: str = "automatic",
    out: torch.Tensor | None = None,
) -> None:
    """Decode on the host, and compare with the specification."""
    values = on_host.dequantize(mantissa, exponent, size, dtype, algorithm, out)
    assert same(values, decode(mantissa, exponent, size).to(dtype))


@pairwise(
    shape=[(7, 1), (7, 31), (3, 512), (2, 1000), (37, 208), (5, 1008), (5, 1023), (3, 4096)]
    + [(1, 5000), (1, 9000)],
    size=[1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 33, 64, 96, 128, 512, 600, 2**60, 2**63 - 1],
    dtype=FLOATS,
    capability=CAPABILITIES,
)
def test_rows_of_any_length_encode_and_decode(
    shape: tuple[int, int], size: int, dtype: torch.dtype, capability: int, on_host: OnHost
) -> None:
    rows, columns = shape
    on_host.capability(capability)
    on_host.order((columns + size) % 4)
    check_encoding(on_host, normal(rows, columns, size % 1000).to(dtype), size)
    for algorithm in ("scalar", "vectorised"):
        check_decoding(on_host, *codes(rows, columns, size), size, dtype, algorithm)


@every(dtype=[torch.bfloat16, torch.float16], size=[1, 8, 32], order=ORDERS)
def test_every_number_of_16_bits_encodes(
    dtype: torch.dtype, size: int, order: int, on_host: OnHost
) -> None:
    on_host.order(order)
    x = torch.arange(-(2**15), 2**15).to(torch.int16).view(dtype)[None]
    check_encoding(on_host, x, size)


@every(size=[1, 16, 32, 33], dtype=FLOATS)
def test_special_values_encode_as_in_float64(
    size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    check_encoding(on_host, special_values().to(dtype), size)


@every(dtype=FLOATS, order=ORDERS)
def test_all_codes_decode_to_their_values(dtype: torch.dtype, order: int, on_host: OnHost) -> None:
    on_host.order(order)
    lab = ["cute"] if on_host.has_cute and dtype == torch.bfloat16 else []
    for algorithm in ("scalar", "vectorised", *lab):
        check_decoding(on_host, *all_codes(), 256, dtype, algorithm)


@pairwise(of_x=[0, 1, 2, 4], of_mantissa=[0, 1, 4, 8], size=[32, 33], dtype=FLOATS)
def test_what_is_encoded_may_begin_anywhere(
    of_x: int, of_mantissa: int, size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    x = normal(1, of_x + 4096, size).to(dtype)[:, of_x:]
    mantissa = unwritten(1, of_mantissa + 4096, torch.int8)[:, of_mantissa:]
    check_encoding(on_host, x, size, (mantissa, unwritten(1, -(-4096 // size), torch.uint8)))


# Rows that groups fill or not, and that end a little after a tile that begins 16 elements late.
@pairwise(
    of_mantissa=[0, 1, 2, 4, 8],
    of_y=[0, 1, 3, 4],
    length=[5000, 4992, 1040, 1041, 1042, 1043],
    dtype=FLOATS,
)
def test_what_is_decoded_may_begin_anywhere(
    of_mantissa: int, of_y: int, length: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    mantissa, exponent = codes(1, of_mantissa + length, 32)
    exponent = exponent[:, : -(-length // 32)]
    out = unwritten(1, of_y + length, dtype)[:, of_y:]
    check_decoding(on_host, mantissa[:, of_mantissa:], exponent, 32, dtype, out=out)


@every(offsets=[(0, 0), (1, 0), (0, 1), (5, 3), (8, 4)], dtype=FLOATS)
def test_a_thread_converts_sixteen_elements_but_for_the_ends_of_views(
    offsets: tuple[int, int], dtype: torch.dtype, on_host: OnHost
) -> None:
    before = on_host.blocks()
    on_host.quantize(normal(1, 102_400 + offsets[0], 1).to(dtype)[:, offsets[0] :], 32)
    assert on_host.blocks() - before == 25  # of 256 threads
    mantissa, exponent = codes(1, 100_000 + offsets[0], 32)
    out = unwritten(1, 100_000 + offsets[1], dtype)[:, offsets[1] :]
    before = on_host.blocks()
    on_host.dequantize(mantissa[:, offsets[0] :], exponent[:, :3125], 32, dtype, out=out)
    # 16 elements a thread take 25 blocks, and one element a thread 391.
    assert on_host.blocks() - before < 30


@every(size=[1, 8, 32, 33, 600], blocks=[1, 2])
def test_few_blocks_go_on_with_the_rest(size: int, blocks: int, on_host: OnHost) -> None:
    on_host.most_blocks(blocks)
    for columns in (600, 608):
        check_encoding(on_host, normal(61, columns, size).bfloat16(), size)
    for dtype in FLOATS if size in (32, 33) else ():
        for algorithm in ("scalar", "vectorised"):
            check_decoding(on_host, *codes(40, 1000, size), size, dtype, algorithm)


def test_more_elements_than_a_grid_has_threads(on_host: OnHost) -> None:
    on_host.checked = False  # it would take a gigabyte
    place = torch.arange(17_000_003)
    exponent, sign = (place % 251 + 1).to(torch.uint8), (place % 2 * 2 - 1).to(torch.int8)
    x = torch.ldexp(sign.float(), exponent.int() - 127)
    found = on_host.quantize(x[None].bfloat16(), 1)
    assert torch.equal(found[0][0], 64 * sign)
    assert torch.equal(found[1][0], exponent)
    mantissa, exponent = (place * 7).to(torch.int8)[None], exponent[None, : -(-len(place) // 32)]
    scale = decode(torch.ones_like(exponent).char(), exponent, 1).repeat_interleave(32, 1)
    expected = (mantissa * scale[:, : len(place)]).bfloat16()
    for algorithm in ("scalar", "vectorised"):
        assert same(on_host.dequantize(mantissa, exponent, 32, torch.bfloat16, algorithm), expected)


@needs_cute
@every(
    shape=[
        (1, c, s)
        for c in (1, 31, 1000, 5003)
        for s in (1, 3, 8, 9, 16, 32, 33, 100, 256, 300, 1000, 2**62, 2**63 - 1)
    ]
    + [(3, 512, size) for size in (2, 8, 16, 32, 64, 512)]
    + [(5, 1000, 500)]
)
def test_the_kernel_of_the_lab_decodes_every_shape(
    shape: tuple[int, int, int], on_host: OnHost
) -> None:
    rows, columns, size = shape
    on_host.order(columns % 4)
    check_decoding(on_host, *codes(rows, columns, size), size, torch.bfloat16, "cute")


@needs_cute
def test_the_kernel_of_the_lab_refuses_what_it_cannot_do(on_host: OnHost) -> None:
    with pytest.raises(Failure, match="bfloat16 alone"):
        check_decoding(on_host, *codes(1, 64, 32), 32, torch.float32, "cute")
    with pytest.raises(Failure, match="rows of whole groups"):
        check_decoding(on_host, *codes(3, 65, 32), 32, torch.bfloat16, "cute")
