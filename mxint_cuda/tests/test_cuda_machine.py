"""The checks that CUDA kernels run under on the CPU find faults, and every kernel is run."""

import re
import subprocess

import pytest
import torch
from cuda_on_host.library import (
    BACKWARD,
    CAPABILITIES,
    FORWARD,
    PTX,
    RANDOM,
    Failure,
    OnHost,
    unwritten,
)
from grid import every
from reference import FLOATS, encode

ELEMENTS = 64
FAULTS = [
    ("none", None),
    ("read beyond the end", "reads 4 bytes outside of every tensor"),
    ("write beyond the end", "writes 4 bytes outside of every tensor"),
    ("read elsewhere", "reads 4 bytes outside of every tensor"),
    ("misaligned", "that is not aligned"),
    ("unwritten", "reads global memory that was not written"),
    ("unwritten shared", "reads shared memory that was not written"),
    ("beyond an array", "an array has no element 64|outside of shared memory"),
    ("no barrier", "shared memory"),  # that was not written yet, or that another thread writes
    ("no barrier after", "race: (reads|writes) shared memory"),
    ("two writers", "race: writes global memory that thread"),
    ("two blocks", "race: writes global memory that thread"),
    ("barrier in a branch", "32 wait at a barrier"),
    ("shuffle in a branch", "the lanes 0xffff wait in __shfl_sync"),
    ("shuffle of some", "lanes exchange by whole warps"),
    ("two shuffles", "some lanes call"),
    ("too many threads", "invalid configuration argument"),
    ("no fault in copies", None),
    ("copy not awaited", "reads shared memory that a copy has yet to fill"),
    ("one wait too few", "reads shared memory that a copy has yet to fill"),
    ("no barrier of a warp", "shared memory"),  # as with "no barrier"
    ("copied over", "shared memory that"),
    ("copied to global memory", "copies (into global|outside of shared) memory"),
    ("copied from beyond", "reads 16 bytes outside of every tensor"),
    ("copy misaligned", "that is not aligned"),
]


@every(fault=FAULTS, order=[FORWARD, BACKWARD, RANDOM])
def test_a_fault_is_found_in_every_order(
    fault: tuple[str, str | None], order: int, on_host: OnHost
) -> None:
    number, message = FAULTS.index(fault), fault[1]
    on_host.order(order)
    # What lies beyond x is of no other tensor, wherever memory is allocated.
    x = torch.arange(8 * ELEMENTS, dtype=torch.int32)[None, :ELEMENTS]
    y = unwritten(1, ELEMENTS, torch.int32)
    if message is None:
        on_host.fault(number, x, y)
        assert torch.equal(y, x.flip(1))
    else:
        with pytest.raises(Failure, match=message):
            on_host.fault(number, x, y)


@every(title=["none", "no fault in copies", "copy not awaited", "one wait too few"])
def test_before_8_0_copies_are_there_at_once(title: str, on_host: OnHost) -> None:
    on_host.capability(75)
    x = torch.arange(ELEMENTS, dtype=torch.int32)[None]
    y = unwritten(1, ELEMENTS, torch.int32)
    on_host.fault([known for known, _ in FAULTS].index(title), x, y)
    assert torch.equal(y, x.flip(1))


def test_a_launch_is_not_blamed_for_an_earlier_failure(on_host: OnHost) -> None:
    x = torch.randn(2, 64)
    on_host.library.host_fail_elsewhere()
    mantissa, exponent = on_host.quantize(x, 32)
    on_host.dequantize(mantissa, exponent, 32, torch.bfloat16)


@every(bits=[32, 64])
def test_products_divide_as_divisions_do(bits: int, on_host: OnHost) -> None:
    most = 2 ** (bits - 1) - 1
    powers = [2**i for i in range(bits - 1)]
    random = torch.randint(1, most, (300,), generator=torch.Generator().manual_seed(1)).tolist()
    divisors = {d for p in powers for d in (p - 1, p, p + 1) if 0 < d <= most} | {most, *random}
    for divisor in divisors:
        whole = most // divisor * divisor
        for n in (0, 1, divisor - 1, divisor, whole - 1, whole, most, *random[:20]):
            if 0 <= n <= most:
                assert on_host.quotient(n, divisor, bits) == n // divisor, (n, divisor)


def test_a_device_older_than_all_compiled_kernels_is_named(on_host: OnHost) -> None:
    on_host.capability(61)
    named = (
        "^the emulator has compute capability 6.1, "
        "and the CUDA kernels of this build begin with 7.5$"
    )
    with pytest.raises(Failure, match=named):
        on_host.quantize(torch.randn(2, 64), 32)


def test_every_instantiation_of_every_kernel_is_run(on_host: OnHost) -> None:
    for capability in CAPABILITIES:
        on_host.capability(capability)
        run_all_instantiations(on_host, capability)
    missed = {name for name, address in kernels(on_host).items() if not on_host.has_run(address)}
    # On tensor cores, floats of 16 bits begin with 8.0; nvcc compiles that for 7.5 as well.
    assert not {name for name in missed if not re.search(r"sm_75.*tensor_kernelINS_\w+ES3_", name)}


def run_all_instantiations(on_host: OnHost, capability: int) -> None:
    x = torch.randn(8, 128)
    for dtype in FLOATS:
        for size in (1, 8, 32, 33):
            for values in (x.to(dtype), moved(x.to(dtype))):
                mantissa, exponent = on_host.quantize(values, size)
            for codes in (mantissa, moved(mantissa)):
                on_host.dequantize(codes, exponent, size, dtype)
        for size in (8, 32):
            weight = encode(x, size)
            on_host.linear(x[:1].to(dtype), weight, None, size, dtype, quantizing=True)
            for rows in range(1, 9):
                values = x[:rows].to(dtype)
                packed = (weight[0][:rows], weight[1][:rows])
                on_host.linear(values, weight, None, size, dtype)
                on_host.linear(packed, weight, None, size, dtype)
        for rows, multiprocessors in ((8, 2), (16, 1), (16, 2), (32, 1), (64, 1)):
            on_host.multiprocessors(multiprocessors)
            many = x.repeat(8, 1)[:rows]
            on_host.linear(encode(many, 32), encode(x, 32), None, 32, dtype)
            if capability >= 80 and dtype != torch.float32 and rows <= 32:
                on_host.linear(many.to(dtype), encode(x, 32), None, 32, dtype)
    if on_host.has_cute:
        for size in (8, 16, 32, 64, 128, 256):
            mantissa, exponent = on_host.quantize(x.view(1, -1), size)
            on_host.dequantize(mantissa, exponent, size, torch.bfloat16, "cute")


def moved(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same numbers, an element beyond a multiple of 16 bytes."""
    return torch.cat([tensor.flatten()[:1], tensor.flatten()])[1:].view(tensor.shape)


def kernels(on_host: OnHost) -> dict[str, int]:
    """Return the kernels that the library has, by name, with their places in it."""
    lines = subprocess.run(
        ["nm", "-C", str(on_host.path)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    symbols = [line.split(maxsplit=2) for line in lines if "_kernel" in line]
    functions = {name: int(place, 16) for place, kind, name in symbols if kind in "tT"}
    # nvcc's host code has functions that launch the kernels, and are named after them.
    translated = PTX in on_host.path.name
    found = {
        name: place
        for name, place in functions.items()
        if name.startswith("ptx::") == translated and not name.endswith("[clone .cold]")
    }
    assert len(found) > 10
    return found
