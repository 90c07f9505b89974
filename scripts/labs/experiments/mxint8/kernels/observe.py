"""Decoding a large tensor to BF16 by each kernel of mxint_cuda, compared with a plain copy."""

import random
from collections.abc import Callable, Sequence
from functools import partial

import torch

import labs.experiments.mxint8.package  # noqa: F401 - it registers the operators
from labs.experiments.mxint8 import sizes
from labs.experiments.mxint8.formulas.decoding import UNIT, exact
from labs.experiments.mxint8.names import CUTE, NAIVE, PACKAGE, SCALAR, VECTORISED
from labs.formats.mxint8 import FRACTION
from labs.jobs.timing import TimingJob
from labs.measure import bounds
from labs.measure.correctness import compare, require
from labs.measure.rounds import interleave
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.records.rows import Comparison

ALGORITHMS = {"cpu": {PACKAGE: 0}, "cuda": {SCALAR: 1, VECTORISED: 2, CUTE: 3}}
"""The kernels of a device, and their numbers in mxint_cuda."""

EXPONENTS = (100, 150)
"""Range of the random exponents, without NaN or values outside BF16's range."""

CHUNK = 2**24
"""Elements compared at a time, to limit the memory that float64 takes."""


@torch.no_grad()
def observe(
    process: int, elements: int, group_sizes: Sequence[int], rounds: int, device: str, seed: int
) -> Observations:
    """Return one process's observations of all kernels at each group size, in random order.

    Outputs are checked once per job.
    """
    seen = Observations(process)
    rng = random.Random(seed)
    torch.manual_seed(seed)
    bounds.observe_copy(seen, rounds, device)
    mantissa = torch.randint(-128, 128, (elements,), dtype=torch.int8, device=device)
    out = torch.empty(elements, dtype=torch.bfloat16, device=device)
    for size in rng.sample(group_sizes, len(group_sizes)):
        groups = -(-elements // size)
        exponent = torch.randint(*EXPONENTS, (groups,), dtype=torch.uint8, device=device)
        calls: dict[str, Callable[[], object]] = {
            name: partial(
                torch.ops.mxint_cuda.dequantize_out, mantissa, exponent, size, algorithm, out
            )
            for name, algorithm in ALGORITHMS[device].items()
        }
        calls[NAIVE] = partial(decode_naively, mantissa, exponent, size, out)
        if process == 0:
            scales = exact(torch.tensor(1), exponent.cpu().int()).to(device)
            for name, call in calls.items():
                out.zero_()
                call()
                result = _compared(out, mantissa, scales, size)
                result = require(result, f"{name}, groups of {size}")
                seen.check(name, "float64", result, group_size=size)
        baseline = next(iter(calls))
        calls[aa_arm(baseline)] = calls[baseline]
        moved = mantissa.nbytes + exponent.nbytes + out.nbytes
        for name, timing in interleave(calls, rounds, rng, device).items():
            seen.timing(name, timing, group_size=size)
            seen.fact("bytes moved", moved, "bytes", name, group_size=size)
    return seen


def decode_naively(
    mantissa: torch.Tensor, exponent: torch.Tensor, size: int, out: torch.Tensor
) -> torch.Tensor:
    """Decode by torch's own operators, element by element in float32; return ``out``."""
    scales = torch.exp2(exponent.float() - UNIT).repeat_interleave(size)[: len(out)]
    return out.copy_(mantissa.float().div_(FRACTION).mul_(scales))


def _compared(
    out: torch.Tensor, mantissa: torch.Tensor, scales: torch.Tensor, size: int
) -> Comparison:
    """Return how far a whole output is from the values in float64, where it is furthest."""
    results = []
    for begin in range(0, len(out), CHUNK):
        part = slice(begin, begin + CHUNK)
        index = torch.arange(begin, min(begin + CHUNK, len(out)), device=out.device) // size
        results.append(compare(out[part], mantissa[part] * scales[index]))
    return max(results, key=lambda result: float(result["error"]))


JOB = TimingJob("mxint8_kernels", observe, sizes.KERNELS)
