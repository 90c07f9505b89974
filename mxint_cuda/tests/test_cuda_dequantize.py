"""The CUDA kernels that decode, run on the CPU: every code, shape, alignment and order."""

import pytest
import torch
from cuda_on_host.library import BACKWARD, FORWARD, RANDOM, Failure, OnHost, unwritten
from grid import every, pairwise
from reference import FLOATS, all_codes, decode, same

SIZES = [1, 2, 4, 7, 8, 16, 32, 33, 96, 512, 2**60, 2**63 - 1]
ORDERS = [FORWARD, BACKWARD, RANDOM, RANDOM + 1]
needs_cute = pytest.mark.usefixtures("cute")


@pytest.fixture
def cute(on_host: OnHost) -> None:
    if not on_host.has_cute:
        pytest.skip("the headers of CUDA and CuTe are not here")


def codes(rows: int, columns: int, size: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(rows * columns + size % 1000)
    mantissa = torch.randint(-128, 128, (rows, columns), generator=generator)
    exponent = torch.randint(0, 256, (rows, -(-columns // size)), generator=generator)
    return mantissa.to(torch.int8), exponent.to(torch.uint8)


def check(
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
    expected = decode(mantissa, exponent, min(size, mantissa.shape[1]))
    assert same(values, torch.from_numpy(expected).to(dtype))


@every(algorithm=["scalar", "vectorised"], dtype=FLOATS, order=ORDERS)
def test_all_codes_decode_to_their_values(
    algorithm: str, dtype: torch.dtype, order: int, on_host: OnHost
) -> None:
    on_host.order(order)
    check(on_host, *all_codes(), 256, dtype, algorithm)


@pairwise(
    shape=[(7, 1), (7, 31), (3, 512), (2, 1000), (5, 1023), (1, 5000)], size=SIZES, dtype=FLOATS
)
def test_rows_of_any_length_decode(
    shape: tuple[int, int], size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    rows, columns = shape
    on_host.order(columns % 4)
    for algorithm in ("scalar", "vectorised"):
        check(on_host, *codes(rows, columns, size), size, dtype, algorithm)


# Rows that groups fill or not, and that end a little after a tile that begins 16 elements late.
@pairwise(
    of_mantissa=[0, 1, 2, 4, 8],
    of_y=[0, 1, 3, 4],
    length=[5000, 4992, 1040, 1041, 1042, 1043],
    dtype=FLOATS,
)
def test_tensors_may_begin_anywhere(
    of_mantissa: int, of_y: int, length: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    mantissa, exponent = codes(1, of_mantissa + length, 32)
    exponent = exponent[:, : -(-length // 32)]
    out = unwritten(1, of_y + length, dtype)[:, of_y:]
    check(on_host, mantissa[:, of_mantissa:], exponent, 32, dtype, out=out)


@every(offsets=[(0, 0), (1, 0), (0, 1), (5, 3), (8, 4)], dtype=FLOATS)
def test_of_a_view_only_the_ends_go_one_element_a_thread(
    offsets: tuple[int, int], dtype: torch.dtype, on_host: OnHost
) -> None:
    mantissa, exponent = codes(1, 100_000 + offsets[0], 32)
    out = unwritten(1, 100_000 + offsets[1], dtype)[:, offsets[1] :]
    before = on_host.blocks()
    on_host.dequantize(mantissa[:, offsets[0] :], exponent[:, :3125], 32, dtype, out=out)
    # 16 elements a thread take 25 blocks of 256 threads, and one element a thread 391.
    assert on_host.blocks() - before < 30


@every(blocks=[1, 2], algorithm=["scalar", "vectorised"], dtype=FLOATS)
def test_few_blocks_go_on_with_the_rest(
    blocks: int, algorithm: str, dtype: torch.dtype, on_host: OnHost
) -> None:
    on_host.most_blocks(blocks)
    for size in (32, 33):
        check(on_host, *codes(40, 1000, size), size, dtype, algorithm)


@every(algorithm=["scalar", "vectorised"])
def test_more_elements_than_a_grid_has_threads(algorithm: str, on_host: OnHost) -> None:
    on_host.checked = False  # it would take a gigabyte
    count = 17_000_003
    mantissa = (torch.arange(count) * 7).to(torch.int8)[None]
    exponent = (torch.arange(-(-count // 32)) % 200).to(torch.uint8)[None]
    values = on_host.dequantize(mantissa, exponent, 32, torch.bfloat16, algorithm)
    scale = torch.from_numpy(decode(torch.full_like(exponent, 64).char(), exponent, 1)).float()
    expected = mantissa.float() / 64 * scale.repeat_interleave(32, 1)[:, :count]
    assert same(values, expected.bfloat16())


@needs_cute
@every(order=ORDERS)
def test_the_kernel_of_the_lab_decodes_all_codes(order: int, on_host: OnHost) -> None:
    on_host.order(order)
    check(on_host, *all_codes(), 256, torch.bfloat16, "cute")


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
    check(on_host, *codes(rows, columns, size), size, torch.bfloat16, "cute")


@needs_cute
def test_the_kernel_of_the_lab_refuses_what_it_cannot_do(on_host: OnHost) -> None:
    with pytest.raises(Failure, match="bfloat16 alone"):
        check(on_host, *codes(1, 64, 32), 32, torch.float32, "cute")
    with pytest.raises(Failure, match="rows of whole groups"):
        check(on_host, *codes(3, 65, 32), 32, torch.bfloat16, "cute")
