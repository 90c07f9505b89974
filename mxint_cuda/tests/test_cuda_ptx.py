"""What only nvcc's PTX shows: conversions, and what warps ask of global memory as it runs."""

import re
from collections.abc import Sequence

import pytest
import torch
from cuda_on_host.library import CAPABILITIES, PTX, OnHost, unwritten
from reference import FLOATS

# g++ decides otherwise than nvcc how wide an access is.
pytestmark = pytest.mark.parametrize("on_host_library", [PTX], indirect=True)

TILE = 512
"""Elements that a warp of the vectorised kernel decodes at a time."""


@pytest.fixture(autouse=True)
def counting(on_host: OnHost) -> None:
    on_host.count_traffic()


def asked(on_host: OnHost, tensors: Sequence[torch.Tensor]) -> list[tuple[int, int, int]]:
    """Return requests, sectors and bytes of each tensor."""
    return [(of.requests, of.sectors, of.bytes) for of in map(on_host.traffic, tensors)]


def decoded(
    on_host: OnHost, elements: int, size: int, algorithm: str, offset: int = 0
) -> list[tuple[int, int, int]]:
    """Return what is asked of mantissas, exponents and results, which begin ``offset`` elements
    after a multiple of 32 bytes.
    """
    mantissa = torch.zeros(1, offset + elements, dtype=torch.int8)[:, offset:]
    exponent = torch.zeros(1, -(-elements // size), dtype=torch.uint8)
    y = unwritten(1, offset + elements, torch.bfloat16)[:, offset:]
    on_host.dequantize(mantissa, exponent, size, torch.bfloat16, algorithm, y)
    return asked(on_host, (mantissa, exponent, y))


@pytest.mark.parametrize("source", ["linear", "linear_tensor"])
def test_layers_make_numbers_of_integers_without_converting_them(
    source: str, on_host: OnHost
) -> None:
    for capability in CAPABILITIES:
        ptx = on_host.path.parent / "translated" / source / f"{source}.compute_{capability}.ptx"
        found = set(re.findall(r"\bcvt\.[\w.]+", ptx.read_text()))
        assert found and not {one for one in found if re.search(r"\.f(16|32)\.[su]\d", one)}


def test_a_scalar_kernel_asks_for_a_sector_or_two_at_a_time(on_host: OnHost) -> None:
    warps = 1000 // 32 + 1
    mantissa, exponent, y = decoded(on_host, 1000, 32, "scalar")
    assert mantissa == (warps, warps, 1000)
    assert exponent == (warps, warps, 1000)  # every lane for itself, of one byte
    assert y == (warps, 63, 2000)  # the last eight results lie in one sector


@pytest.mark.parametrize("size", [8, 32, 512])
def test_the_vectorised_kernel_asks_for_sixteen_bytes_a_lane(size: int, on_host: OnHost) -> None:
    tiles = 3
    mantissa, exponent, y = decoded(on_host, tiles * TILE, size, "vectorised")
    assert mantissa == (tiles, tiles * TILE // 32, tiles * TILE)
    assert y == (2 * tiles, 2 * tiles * TILE // 32, 2 * tiles * TILE)
    # Each store is of eight results, whose scale every lane reads; 32 scales lie in a sector.
    assert exponent == (2 * tiles, 2 * tiles, 2 * tiles * 32)


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("size", [20, 32])
def test_results_of_any_groups_are_stored_by_sixteen_bytes(
    size: int, dtype: torch.dtype, on_host: OnHost
) -> None:
    mantissa = torch.zeros(1, TILE, dtype=torch.int8)
    exponent = torch.zeros(1, -(-TILE // size), dtype=torch.uint8)
    y = on_host.dequantize(mantissa, exponent, size, dtype, "vectorised")
    stored = TILE * dtype.itemsize
    assert asked(on_host, [y]) == [(stored // (16 * 32), stored // 32, stored)]


def test_between_sectors_a_request_touches_one_more(on_host: OnHost) -> None:
    mantissa, _, y = decoded(on_host, 32, 32, "scalar", offset=1)
    assert mantissa == (1, 2, 32)
    assert y == (1, 3, 64)


def test_of_the_lab_s_kernel_every_thread_asks_for_one_element(on_host: OnHost) -> None:
    if not on_host.has_cute:
        pytest.skip("the headers of CUDA and CuTe are not here")
    mantissa, exponent, y = decoded(on_host, 1024, 32, "cute")
    assert mantissa == (32, 32, 1024)
    assert exponent == (1, 1, 32)  # a warp fetches the scales of the block
    assert y == (32, 64, 2048)
