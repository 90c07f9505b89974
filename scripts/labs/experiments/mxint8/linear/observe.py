"""A linear layer in float32, in BF16, with an MXINT8 weight, and with both operands in MXINT8.

Every call uses another copy of the weight, so that it is read from memory and not from a cache, as
in a large model. Beside them, on a CPU, the packed weight is read by all threads and not used: what
a layer can reach at most where reading its weight limits it.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import TypeVar

import torch
import torch.nn.functional as F

from labs.experiments.mxint8 import sizes
from labs.experiments.mxint8.costs import Shape, bytes_moved, operations
from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, READING, WEIGHTS
from labs.experiments.mxint8.package import dequantize, linear, quantize
from labs.jobs.timing import TimingJob
from labs.measure import bounds
from labs.measure.correctness import compare, require
from labs.measure.rounds import interleave
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations

Tensors = tuple[torch.Tensor, ...]
T = TypeVar("T")

BASELINE = FLOAT32
FOOTPRINT = 2 * bounds.COPY_BYTES
"""Bytes of all copies of a weight: as many as ``bounds.observe_copy`` touches."""


@dataclass(frozen=True)
class Arm:
    """A way to multiply: the function of the weight, the weight as stored, and the values that x
    and the weight represent.
    """

    multiply: Callable[..., torch.Tensor]
    weight: Tensors
    operands: tuple[torch.Tensor, torch.Tensor]


@torch.no_grad()
def observe(
    process: int,
    shape: tuple[int, int],
    batches: Sequence[int],
    group_size: int,
    rounds: int,
    device: str,
    seed: int,
) -> Observations:
    """Return one process's observations: the bound, then all arms at each batch in random order.

    ``shape`` is the layer's numbers of inputs and outputs.
    """
    seen = Observations(process)
    rng = random.Random(seed)
    torch.manual_seed(seed)
    bounds.observe_copy(seen, rounds, device)
    inputs, outputs = shape
    weight = torch.randn(outputs, inputs, device=device)
    for batch in rng.sample(batches, len(batches)):
        x = torch.randn(batch, inputs, device=device)
        _observe_batch(seen, x, weight, group_size, rounds, rng)
    return seen


def _observe_batch(
    seen: Observations,
    x: torch.Tensor,
    weight: torch.Tensor,
    group_size: int,
    rounds: int,
    rng: random.Random,
) -> None:
    """Check every arm against its operands in float64, record its error and counts, time it."""
    shape = Shape(len(x), x.shape[1], len(weight), group_size)
    wanted = x.double() @ weight.double().T
    calls: dict[str, Callable[[], object]] = {}
    arms = _arms(x, weight, group_size)
    for name, arm in arms.items():
        calls[name] = call = _from_memory(arm.multiply, arm.weight)
        y = call()
        result = compare(y, arm.operands[0].double() @ arm.operands[1].double().T)
        seen.check(name, "float64", require(result, f"{name}, batch {len(x)}"), batch=len(x))
        error = ((y.double() - wanted).norm() / wanted.norm()).item()
        seen.fact("error", error, "share", name, batch=len(x))
        for what, size in bytes_moved(name, shape).items():
            seen.fact("bytes moved", size, "bytes", name, batch=len(x), what=what)
        for what, count in operations(name, shape).items():
            seen.fact("operations", count, "count", name, batch=len(x), what=what)
    calls[aa_arm(BASELINE)] = calls[BASELINE]
    if x.device.type == "cpu":  # where mxint_cuda can read and do nothing else
        read = partial(torch.ops.mxint_cuda.read, group_size=group_size)
        calls[READING] = _from_memory(read, arms[WEIGHTS].weight)
    for name, timing in interleave(calls, rounds, rng, x.device.type).items():
        seen.timing(name, timing, batch=len(x))


def _from_memory(call: Callable[..., T], weight: Tensors) -> Callable[[], T]:
    """Return a call with another copy of the weight each time."""
    copies = -(-FOOTPRINT // sum(tensor.nbytes for tensor in weight))
    turns = cycle([tuple(tensor.clone() for tensor in weight) for _ in range(copies)])
    return lambda: call(*next(turns))


def _arms(x: torch.Tensor, weight: torch.Tensor, group_size: int) -> dict[str, Arm]:
    """Return the four ways, for x of (batch, inputs) and a weight of (outputs, inputs)."""
    packed = quantize(weight, group_size)
    decoded = dequantize(*packed, group_size, torch.float32)
    decoded_x = dequantize(*quantize(x, group_size), group_size, torch.float32)
    x16, weight16 = x.bfloat16(), weight.bfloat16()
    weights = partial(linear, x, group_size=group_size)
    both = partial(weights, activations="mxint8")
    return {
        FLOAT32: Arm(partial(F.linear, x), (weight,), (x, weight)),
        BFLOAT16: Arm(partial(F.linear, x16), (weight16,), (x16, weight16)),
        WEIGHTS: Arm(weights, packed, (x, decoded)),
        BOTH: Arm(both, packed, (decoded_x, decoded)),
    }


JOB = TimingJob("mxint8_linear", observe, sizes.LINEAR)
