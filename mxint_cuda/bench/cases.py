"""What is compared on each device, and the bounds that the package is held to."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import cycle, product

import formulas
import torch
import torch.nn.functional as F
from mxint_cuda.functional import cpu_level
from peers import PEERS
from timing import Bound, Call, Comparison
from torch.testing import assert_close

import mxint_cuda

GROUP_SIZE = 32
COLUMNS = 4096
BATCHES = (1, 2, 4, 8, 16, 32, 128)
CACHED_AFTER = 3
"""Calls after which a weight is in the caches: read once, much of it is not kept."""
COLD_BYTES = 1 << 29
"""Bytes of all copies of a weight that is to be found in memory, and not in a cache."""

MEMORY = {"cached": 1, "in memory": COLD_BYTES}
"""Where a weight is found, and the bytes that all copies of it have at least for that."""
ELEMENTS, CACHED_ELEMENTS = 1 << 26, 1 << 20
"""Numbers that are converted, in memory and within the caches."""
CALLS = 1000
"""Calls of a tiny layer that are timed as one."""

READING = "reading the weight"
MULTIPLYING = "multiplying bytes"
BOTH_ON_CPU: dict[str, dict[int, dict[str, float]]] = {
    "portable": {},
    "avx2": {
        1: {"float32": 1.5},
        8: {"float32": 1.5},
        32: {"float32": 1.2, MULTIPLYING: 0.55},
        128: {"float32": 1.0, MULTIPLYING: 0.62},
    },
    "avxvnni": {
        1: {"float32": 2.5},
        8: {"float32": 2.0},
        32: {"float32": 1.5, MULTIPLYING: 0.55},
        128: {"float32": 1.3, MULTIPLYING: 0.62},
    },
    "avx512": {
        1: {"bfloat16": 3.0},
        32: {"float32": 4.0, "bfloat16": 1.4, MULTIPLYING: 0.55},
        128: {MULTIPLYING: 0.62},
    },
    "amx": {1: {"bfloat16": 3.0}, 32: {"float32": 4.0, "bfloat16": 1.4}},
}
"""How many times as fast as each of these a layer with both in MXINT8 is to be, by instruction set
and batch.
"""
SHARE_OF_READING = {
    "cached": {1: 0.60},
    "in memory": {1: 0.75, 4: 0.60, 8: 0.45, 16: 0.33},
}
"""What share of the rate at which the weight can be read such a layer is to reach, by batch."""
AHEAD_OF_PEERS = {
    "mxint8 x mxint8": {1: 0.95, 8: 1.1, 16: 1.1, 32: 1.1, 128: 1.1},
    "float32 x mxint8": {8: 1.8, 32: 1.1, 128: 1.0},
}
"""How many times as fast as another library's layer one is to be, by batch."""
ARMS = {"mxint8": "mxint8 x mxint8", "float": "float32 x mxint8"}
"""What layers are called, by their activations."""


Layers = list[tuple[int, int]]
"""The (inputs, outputs) of each."""


def dequantize_on_cpu(_: Layers) -> Iterator[Comparison]:
    """Decoding into a tensor that is there, beside a copy of as many bytes, for small groups, in
    memory and in the caches; and the formula in torch.compile, for groups of GROUP_SIZE in memory.
    """
    for size, (count, least) in product((8, 16, 32), ((ELEMENTS, 1.0), (CACHED_ELEMENTS, 0.8))):
        mantissa, exponent, out = packed_numbers(count, size, "cpu")
        mine = partial(mxint_cuda.dequantize, mantissa, exponent, size, out=out)
        arms: dict[str, Call] = {"mxint_cuda": mine, "copy": copy_of(mantissa, exponent, out)}
        bounds = [Bound("mxint_cuda", "copy", least)]
        if (size, count) == (GROUP_SIZE, ELEMENTS):
            other = torch.empty_like(out)
            formula = torch.compile(formulas.dequantize)
            arms["torch.compile"] = partial(formula, mantissa, exponent, size, other)
            bounds.append(Bound("mxint_cuda", "torch.compile", 1.5))
            mine()
            arms["torch.compile"]()
            assert_close(out, other, rtol=0, atol=0)
        yield Comparison(
            f"dequantize to bfloat16, {count:,} elements, group size {size}",
            arms,
            bounds,
            warm=CACHED_AFTER if count == CACHED_ELEMENTS else 0,
        )


def dequantize_on_cuda(_: Layers) -> Iterator[Comparison]:
    """The three kernels and a copy, for each group size."""
    for size in (8, 16, 32, 64, 128, 256, 512):
        mantissa, exponent, out = packed_numbers(ELEMENTS, size, "cuda")
        decode = partial(torch.ops.mxint_cuda.dequantize_out, mantissa, exponent, size)
        kernels = {"scalar": 1, "vectorised": 2, "CuTe": 3}
        arms: dict[str, Call] = {
            name: partial(decode, number, out) for name, number in kernels.items()
        }
        wanted = mxint_cuda.dequantize(mantissa, exponent, size)
        for arm in arms.values():
            out.zero_()
            arm()
            assert_close(out, wanted, rtol=0, atol=0)
        yield Comparison(
            f"dequantize to bfloat16, {ELEMENTS:,} elements, group size {size}",
            arms | {"copy": copy_of(mantissa, exponent, out)},
            [Bound("vectorised", "copy", 0.92), Bound("vectorised", "CuTe", 2.0)],
        )


def quantize(device: str, _: Layers) -> Iterator[Comparison]:
    """Encoding into tensors that are there and into new ones, beside the formula in eager torch."""
    x = torch.randn(ELEMENTS // COLUMNS, COLUMNS, device=device)
    out = mxint_cuda.quantize(x, GROUP_SIZE)
    mine = partial(mxint_cuda.quantize, x, GROUP_SIZE)
    eager = partial(formulas.quantize, x, GROUP_SIZE)
    for one, other in zip(out, eager(), strict=True):
        assert_close(one, other, rtol=0, atol=0)
    arms: dict[str, Call] = {"mxint_cuda": partial(mine, out), "new tensors": mine}
    bounds = [Bound(arm, "eager torch", 20.0) for arm in arms] if device == "cpu" else []
    yield Comparison(
        f"quantize from float32, {ELEMENTS:,} elements, group size {GROUP_SIZE}",
        arms | {"eager torch": eager, "copy": copy_of(x, *out)},
        bounds,
    )


def linear_on_cpu(inputs: int, outputs: int) -> Iterator[Comparison]:
    """Quantizing x included; with the weight in the caches, as far as it fits, and in memory."""
    weight = torch.randn(outputs, inputs)
    packed = mxint_cuda.quantize(weight, GROUP_SIZE)
    for batch in BATCHES:
        x = torch.randn(batch, inputs)
        x16 = x.bfloat16()
        both = partial(linear, x, "mxint8")
        require_close(both(*packed), decoded(x), decoded(weight))
        require_close(linear(x, "float", *packed), x, decoded(weight))
        for where, copies in MEMORY.items():
            taken = partial(rotated, least_bytes=copies)
            arms: dict[str, Call] = {
                "mxint8 x mxint8": taken(both, *packed),
                "float32 x mxint8": taken(partial(linear, x, "float"), *packed),
                "bfloat16 x mxint8": taken(partial(linear, x16, "float"), *packed),
                "float32": taken(partial(F.linear, x), weight),
                "bfloat16": taken(partial(F.linear, x16), weight.bfloat16()),
                READING: taken(read, *packed),
            }
            if torch.ops.mxint_cuda.multiply(x, packed[0]):  # plain loops have no such rate
                arms[MULTIPLYING] = partial(torch.ops.mxint_cuda.multiply, x, packed[0])
            least = BOTH_ON_CPU[cpu_level()].get(batch, {})
            if batch in SHARE_OF_READING[where]:
                least = least | {READING: SHARE_OF_READING[where][batch]}
            yield Comparison(
                f"linear {inputs} x {outputs}, batch {batch}, weight {where}",
                arms,
                [Bound("float32 x mxint8", "float32", 1.0)]
                + [Bound("mxint8 x mxint8", over, ratio) for over, ratio in least.items()],
                warm=CACHED_AFTER if where == "cached" else 0,
            )


def linear_on_cuda(inputs: int, outputs: int) -> Iterator[Comparison]:
    """Both kinds of activations beside cuBLAS in bfloat16."""
    weight = torch.randn(outputs, inputs, device="cuda")
    packed = mxint_cuda.quantize(weight, GROUP_SIZE)
    weight16 = weight.bfloat16()
    for batch in (1, 2, 4, 8, 32, 512):
        x = torch.randn(batch, inputs, device="cuda").bfloat16()
        names = ("bfloat16 x mxint8", "mxint8 x mxint8")
        arms = {
            name: partial(linear, x, activations, *packed)
            for name, activations in zip(names, ("float", "mxint8"), strict=True)
        }
        require_close(arms[names[0]](), x, decoded(weight))
        require_close(arms[names[1]](), decoded(x), decoded(weight))
        least = 1.7 if batch <= 8 else 0.8
        yield Comparison(
            f"linear {inputs} x {outputs}, batch {batch}",
            arms | {"cuBLAS bfloat16": partial(F.linear, x, weight16)},
            [Bound(name, "cuBLAS bfloat16", least) for name in names],
        )


def calls_of_a_tiny_layer(_: Layers) -> Iterator[Comparison]:
    """A layer so small that its products are next to nothing: what a call costs.

    On the CPU alone: a device's events do not see the host's work.
    """
    inputs = outputs = 64
    x, weight = torch.randn(1, inputs), torch.randn(outputs, inputs)
    packed = mxint_cuda.quantize(weight, GROUP_SIZE)
    calls: dict[str, Call] = {
        "mxint8 x mxint8": partial(linear, x, "mxint8", *packed),
        "float32 x mxint8": partial(linear, x, "float", *packed),
        "float32": partial(F.linear, x, weight),
    }
    yield Comparison(
        f"{CALLS:,} calls of linear {inputs} x {outputs}, batch 1",
        {name: partial(repeated, call, CALLS) for name, call in calls.items()},
        [Bound(name, "float32", 0.25) for name in calls if name != "float32"],
    )


def beside_peers(inputs: int, outputs: int) -> Iterator[Comparison]:
    """Layers with the weight in memory, beside those of the other libraries that are installed."""
    there = {name: peer for name, peer in PEERS.items() if not peer.missing()}
    if not there:
        return
    weight = torch.randn(outputs, inputs)
    packed = mxint_cuda.quantize(weight, GROUP_SIZE)
    scale = torch.exp2(packed[1].float() - 133)
    copies = -(-COLD_BYTES // packed[0].nbytes)
    layers = {
        name: [peer.layer(packed[0], scale, torch.get_num_threads()) for _ in range(copies)]
        for name, peer in there.items()
    }
    for batch in BATCHES:
        x = torch.randn(batch, inputs)
        arms: dict[str, Call] = {
            name: rotated(partial(linear, x, activations), *packed, least_bytes=COLD_BYTES)
            for activations, name in ARMS.items()
        }
        bounds = []
        for name, peer in there.items():
            for layer in layers[name]:  # whose first call for a batch prepares it
                y = layer(x)
            if y.shape != (batch, outputs):
                shape = tuple(y.shape)
                print(f"\nbatch {batch}, left out: {name}, whose product has the shape {shape}")
                continue
            if quantizes(y, x, decoded(weight)) != peer.quantizes:
                does = "does not quantize" if peer.quantizes else "quantizes"
                print(f"\nbatch {batch}, left out: {name}, which {does} x on this processor")
                continue
            arms[name] = in_turn([partial(layer, x) for layer in layers[name]])
            mine = ARMS["mxint8" if peer.quantizes else "float"]
            if least := AHEAD_OF_PEERS[mine].get(batch):
                bounds.append(Bound(mine, name, least))
        yield Comparison(
            f"linear {inputs} x {outputs}, batch {batch}, weight in memory", arms, bounds
        )


def each(case: Callable[[int, int], Iterator[Comparison]], layers: Layers) -> Iterator[Comparison]:
    """Yield the comparisons of every layer."""
    for inputs, outputs in layers:
        yield from case(inputs, outputs)


CASES: dict[str, dict[str, Callable[[Layers], Iterator[Comparison]]]] = {
    "cpu": {
        "dequantize": dequantize_on_cpu,
        "quantize": partial(quantize, "cpu"),
        "linear": partial(each, linear_on_cpu),
        "call": calls_of_a_tiny_layer,
        "peers": partial(each, beside_peers),
    },
    "cuda": {
        "dequantize": dequantize_on_cuda,
        "quantize": partial(quantize, "cuda"),
        "linear": partial(each, linear_on_cuda),
    },
}


# ---- what the cases share ------------------------------------------------------------------------


def packed_numbers(
    elements: int, size: int, device: str
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return random mantissas, exponents near that of 1, and room for the result."""
    shape = (elements // COLUMNS, COLUMNS)
    mantissa = torch.randint(-127, 128, shape, device=device, dtype=torch.int8)
    groups = (shape[0], COLUMNS // size)
    exponent = torch.randint(110, 140, groups, device=device, dtype=torch.uint8)
    return mantissa, exponent, torch.zeros(shape, device=device, dtype=torch.bfloat16)


def copy_of(*tensors: torch.Tensor) -> Call:
    """Return a copy that reads and writes as many bytes as these tensors have together."""
    half = sum(tensor.nbytes for tensor in tensors) // 2
    source = torch.ones(half, dtype=torch.int8, device=tensors[0].device)
    return partial(torch.zeros_like(source).copy_, source)


def linear(
    x: torch.Tensor, activations: str, mantissa: torch.Tensor, exponent: torch.Tensor
) -> torch.Tensor:
    """``mxint_cuda.linear`` with the weight last."""
    return mxint_cuda.linear(x, mantissa, exponent, None, GROUP_SIZE, activations)  # type: ignore[arg-type]


def read(mantissa: torch.Tensor, exponent: torch.Tensor) -> int:
    """Read a packed weight, and do next to nothing with it."""
    return int(torch.ops.mxint_cuda.read(mantissa, exponent, GROUP_SIZE))


def repeated(call: Call, times: int) -> None:
    """Call so many times."""
    for _ in range(times):
        call()


def in_turn(calls: Iterable[Call]) -> Call:
    """Return a call that makes another one of these each time."""
    turns = cycle(calls)
    return lambda: next(turns)()


def rotated(call: Callable[..., object], *weight: torch.Tensor, least_bytes: int) -> Call:
    """Return a call that takes another copy of the weight each time; together they have so many
    bytes at least.
    """
    copies = -(-least_bytes // sum(tensor.nbytes for tensor in weight))
    return in_turn([partial(call, *(tensor.clone() for tensor in weight)) for _ in range(copies)])


def decoded(values: torch.Tensor) -> torch.Tensor:
    """Return what remains of the values in MXINT8."""
    packed = mxint_cuda.quantize(values, GROUP_SIZE)
    return mxint_cuda.dequantize(*packed, GROUP_SIZE, torch.float32)


def require_close(y: torch.Tensor, x: torch.Tensor, weight: torch.Tensor) -> None:
    """End the program unless a product is right, within the rounding of its dtype and of float32
    sums: wrong results are not timed.
    """
    exact = x.double() @ weight.double().T
    magnitude = x.double().abs() @ weight.double().abs().T
    room = magnitude * x.shape[-1] * torch.finfo(torch.float32).eps
    if not ((y - exact).abs() <= room + exact.abs() * torch.finfo(y.dtype).eps).all():
        raise SystemExit("error: a product is wrong; nothing is timed")


def quantizes(y: torch.Tensor, x: torch.Tensor, weight: torch.Tensor) -> bool:
    """Return whether another library's product shows activations of eight bits, or floats.

    End the program if it shows neither: wrong results are not timed.
    """
    exact = x.double() @ weight.double().T
    error = ((y.double() - exact).norm() / exact.norm()).item()
    if not (error <= 1e-5 or 1e-3 <= error <= 1e-2):
        raise SystemExit(f"error: another library is off by {error:.2g}; nothing is timed")
    return error > 1e-5
