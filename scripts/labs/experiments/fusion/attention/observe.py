"""Scaled dot-product attention: naive, compiled, and fused, in each number format.

The naive implementation is the lab's: two matrix products with a softmax between them, the matrix
of scores written to memory and read back.  The fused one is torch's own operator (FlashAttention:
Dao et al., 2022), which keeps the scores in registers and caches.
"""

import math
import random
from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from labs.experiments.fusion.attention import names
from labs.experiments.fusion.attention.names import COMPARED, FUSED, LAB, NAIVE
from labs.experiments.fusion.sizes import AttentionSizes
from labs.measure import bounds
from labs.measure.call import Call
from labs.measure.compiler import CompilerLog, nothing_compiled
from labs.measure.correctness import compare, require
from labs.measure.memory import peak_bytes
from labs.measure.profiler import profile_table
from labs.measure.rounds import interleave, interleave_blocks
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.records.rows import Row

Attention = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]
Tensors = tuple[torch.Tensor, torch.Tensor, torch.Tensor]

BACKENDS = {
    "math": SDPBackend.MATH,
    "flash": SDPBackend.FLASH_ATTENTION,
    "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
    "cuDNN": SDPBackend.CUDNN_ATTENTION,
}
PROFILED_CALLS = 10


def naive(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Return the attention of (..., length, dimension) tensors as the lab computes it."""
    scores = query @ key.transpose(-2, -1) * (1 / math.sqrt(query.size(-1)))
    return F.softmax(scores, -1) @ value


def fused(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
    """Return the same by torch's fused operator, which picks a backend."""
    return F.scaled_dot_product_attention(query, key, value)


def with_backend(backend: SDPBackend) -> Attention:
    """Return the fused operator restricted to one backend."""

    def attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor) -> torch.Tensor:
        with sdpa_kernel(backend):
            return fused(query, key, value)

    return attention


WRONG: dict[str, Attention] = {
    "scores not scaled": lambda q, k, v: F.softmax(q @ k.transpose(-2, -1), -1) @ v,
    "softmax over the wrong dimension": lambda q, k, v: F.softmax(q @ k.transpose(-2, -1), -2) @ v,
    "query and key ignored": lambda q, k, v: v.mean(-2, keepdim=True).expand_as(v),
    "value returned unchanged": lambda q, k, v: v,
}
"""Wrong implementations, which a useful check must reject."""


def observe(
    seen: Observations,
    sizes: AttentionSizes,
    rounds: int,
    device: str,
    rng: random.Random,
    cold: bool,
    converged: Sequence[Row],
) -> None:
    """Check and time every format and length, in random order; test the checks once per job.

    What the compiler did is observed where its cache is ``cold``. Cases that are ``converged`` are
    left out.
    """
    if seen.process == 0:
        _observe_checks(seen, tuple(sizes.shape), device)
    batch, heads, length, dimension = sizes.shape
    shapes: list[Row] = [{"length": length, "batch": batch, "shape": LAB}]
    shapes += [
        {"length": swept, "batch": sizes.sweep_batch, "shape": names.SWEEP}
        for swept in sizes.lengths
    ]
    cases = [{"dtype": dtype, **shape} for dtype in sizes.dtypes for shape in shapes]
    cases = [case for case in cases if case not in converged]
    for case in rng.sample(cases, len(cases)):
        shape = (case["batch"], heads, case["length"], dimension)
        inputs = _inputs(shape, case["dtype"], device)
        in_blocks = (case["shape"], case["dtype"]) == (LAB, names.LAB_DTYPE)
        counts = sizes.counts if in_blocks else []
        _observe_case(seen, inputs, rng, rounds, counts, device, cold, case)


def _inputs(shape: tuple[int, ...], dtype: str, device: str) -> Tensors:
    """Return query, key and value: standard normal numbers."""
    query, key, value = (
        torch.randn(shape, device=device).to(getattr(torch, dtype)) for _ in range(3)
    )
    return query, key, value


def _observe_case(
    seen: Observations,
    inputs: Tensors,
    rng: random.Random,
    rounds: int,
    counts: Sequence[int],
    device: str,
    cold: bool,
    case: Row,
) -> None:
    """Check, time and (in the first process) profile all arms on one set of inputs.

    The lab's own shape has more arms: the named backends, and the compiled naive ones; the sweep
    compares only naive and fused.  Blocks of ``counts`` calls show what the first calls cost.
    """
    full = case["shape"] == LAB
    arms: dict[str, Attention] = {NAIVE: naive, FUSED: fused}
    if full:
        arms |= _available_backends(seen, inputs, case)
        arms |= _compiled(seen, inputs, cold, case)
    reference = naive(*(tensor.double() for tensor in inputs))
    for arm, attention in arms.items():
        result = compare(attention(*inputs), reference)
        seen.check(arm, "float64", require(result, f"{arm}, {case}"), **case)
    calls: dict[str, Call] = {arm: partial(attention, *inputs) for arm, attention in arms.items()}
    calls[aa_arm(NAIVE)] = calls[NAIVE]
    if full:
        calls[names.PRODUCTS] = bounds.matrix_products(*inputs)

    with nothing_compiled():
        timings = interleave(calls, rounds, rng, device)
    for arm, timing in timings.items():
        seen.timing(arm, timing, **case)

    compared = {arm: calls[arm] for arm in COMPARED}
    for (arm, count), block in interleave_blocks(compared, counts, rng, device).items():
        seen.sample("block", arm, block.seconds, count, count=count, **case)

    if seen.process == 0:
        for arm in arms:
            seen.fact("peak memory", peak_bytes(calls[arm], device), "bytes", arm, **case)
        for arm in COMPARED if full else ():
            seen.profile(arm, profile_table(calls[arm], PROFILED_CALLS, device), **case)


def _available_backends(seen: Observations, inputs: Tensors, case: Row) -> dict[str, Attention]:
    """Return the backends that run these inputs, by name; record why the others do not."""
    available = {}
    for name, backend in BACKENDS.items():
        attention = with_backend(backend)
        try:
            attention(*inputs)
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            seen.fact("backend", f"not available: {reason}", "text", name, **case)
        else:
            seen.fact("backend", "available", "text", name, **case)
            available[f"{name} backend"] = attention
    return available


def _compiled(seen: Observations, inputs: Tensors, cold: bool, case: Row) -> dict[str, Attention]:
    """Return the naive implementation compiled, with and without Inductor's pattern matcher.

    The matcher may recognise attention and replace it by the fused operator; without it the
    compiler can only fuse what is between the matrix products.
    """
    compiled = {
        names.COMPILED: torch.compile(naive, dynamic=False),
        names.NOT_REWRITTEN: torch.compile(
            naive, dynamic=False, options={"pattern_matcher": False}
        ),
    }
    for arm, attention in compiled.items():
        with CompilerLog() as log:
            attention(*inputs)
        for name in ("attention rewrites", "generated kernels", "library calls") if cold else ():
            seen.fact(name, log.counts[name], "count", arm, **case)
    return dict(compiled)


def _observe_checks(seen: Observations, shape: tuple[int, ...], device: str) -> None:
    """Record what the lab's check and a real one say of correct and wrong implementations.

    The lab's check compares one element on inputs of ones; the real one compares whole outputs on
    random numbers with the float64 reference.
    """
    ones = tuple(torch.ones(shape, device=device) for _ in range(3))
    numbers = _inputs(shape, "float32", device)
    reference = naive(*(tensor.double() for tensor in numbers))
    for name, attention in {FUSED: fused, **WRONG}.items():
        element = compare(attention(*ones)[0, 0, 0, 0], naive(*ones)[0, 0, 0, 0])
        seen.check(name, names.LAB_CHECK, element)
        seen.check(name, names.REAL_CHECK, compare(attention(*numbers), reference))
