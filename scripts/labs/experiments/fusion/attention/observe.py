"""Scaled dot-product attention: naive, compiled, and fused, in each number format.

The naive implementation is the lab's: two matrix products with a softmax between them, the matrix
of scores written to memory and read back.  The fused one is torch's own operator (FlashAttention:
Dao et al., 2022), which keeps the scores in registers and caches.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from labs.experiments.fusion.attention import names
from labs.experiments.fusion.attention.names import COMPARED, FUSED, LAB, NAIVE
from labs.experiments.fusion.run import Run
from labs.experiments.fusion.sizes import AttentionSizes
from labs.measure import bounds
from labs.measure.correctness import compare
from labs.measure.profiler import profile_table
from labs.measure.rounds import interleave_blocks
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.records.rows import Case

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


WRONG: dict[str, Attention] = {
    "scores not scaled": lambda q, k, v: F.softmax(q @ k.transpose(-2, -1), -1) @ v,
    "softmax over the wrong dimension": lambda q, k, v: F.softmax(q @ k.transpose(-2, -1), -2) @ v,
    "query and key ignored": lambda q, k, v: v.mean(-2, keepdim=True).expand_as(v),
    "value returned unchanged": lambda q, k, v: v,
}
"""Wrong implementations, which a useful check must reject."""


def observe(run: Run, sizes: AttentionSizes) -> None:
    """Check and time every format and length, in random order; test the checks once per job."""
    batch, heads, length, dimension = sizes.shape
    if run.seen.process == 0:
        _observe_checks(run, (batch, heads, length, dimension))
    shapes: list[Case] = [{"length": length, "batch": batch, "shape": LAB}]
    shapes += [
        {"length": swept, "batch": sizes.sweep_batch, "shape": names.SWEEP}
        for swept in sizes.lengths
    ]
    for case in run.left({"dtype": dtype, **shape} for dtype in sizes.dtypes for shape in shapes):
        inputs = _inputs((case["batch"], heads, case["length"], dimension), case["dtype"], run)
        in_blocks = (case["shape"], case["dtype"]) == (LAB, names.LAB_DTYPE)
        _observe_case(run, inputs, sizes.counts if in_blocks else [], case)


def _inputs(shape: tuple[int, ...], dtype: str, run: Run) -> Tensors:
    """Return query, key and value: standard normal numbers."""
    query, key, value = (
        torch.randn(shape, device=run.device).to(getattr(torch, dtype)) for _ in range(3)
    )
    return query, key, value


def _observe_case(run: Run, inputs: Tensors, counts: Sequence[int], case: Case) -> None:
    """Check, time and (in the first process) profile all arms on one set of inputs.

    The lab's own shape has more arms: the named backends, and the compiled naive ones; the sweep
    compares only naive and fused.  Blocks of ``counts`` calls show what the first calls cost.
    """
    full = case["shape"] == LAB
    functions: dict[str, Attention] = {NAIVE: naive, FUSED: fused}
    if full:
        functions |= _available_backends(run.seen, inputs, case)
        functions |= _compiled(run, inputs, case)
    arms = {arm: partial(attention, *inputs) for arm, attention in functions.items()}
    run.check(arms, naive(*(tensor.double() for tensor in inputs)), case)
    products = {names.PRODUCTS: bounds.matrix_products(*inputs)} if full else {}
    run.time({**arms, aa_arm(NAIVE): arms[NAIVE], **products}, case)

    compared = {arm: arms[arm] for arm in COMPARED}
    for (arm, count), block in interleave_blocks(compared, counts, run.rng, run.device).items():
        run.seen.sample("block", arm, block.seconds, count, count=count, **case)
    run.weigh(arms, case)
    for arm in COMPARED if full and run.seen.process == 0 else ():
        table = profile_table(arms[arm], PROFILED_CALLS, run.device)
        run.seen.profile(arm, table, **case)


def _available_backends(seen: Observations, inputs: Tensors, case: Case) -> dict[str, Attention]:
    """Return the backends that run these inputs, by name; record why the others do not."""
    available: dict[str, Attention] = {}
    for name, backend in BACKENDS.items():
        attention = sdpa_kernel(backend)(fused)
        try:
            attention(*inputs)
        except RuntimeError as error:
            reason = str(error).splitlines()[0]
            seen.fact("backend", f"not available: {reason}", "text", name, **case)
        else:
            seen.fact("backend", "available", "text", name, **case)
            available[f"{name} backend"] = attention
    return available


def _compiled(run: Run, inputs: Tensors, case: Case) -> dict[str, Attention]:
    """Return the naive implementation compiled, with and without Inductor's pattern matcher.

    The matcher may recognise attention and replace it by the fused operator; without it the
    compiler can only fuse what is between the matrix products.
    """
    counts = "attention rewrites", "generated kernels", "library calls"
    settings = {names.COMPILED: None, names.NOT_REWRITTEN: {"pattern_matcher": False}}
    return {
        arm: run.compiled(arm, naive, inputs, case, counts, dynamic=False, options=options)
        for arm, options in settings.items()
    }


def _observe_checks(run: Run, shape: tuple[int, ...]) -> None:
    """Record what the lab's check and a real one say of correct and wrong implementations.

    The lab's check compares one element on inputs of ones; the real one compares whole outputs on
    random numbers with the float64 reference.
    """
    ones = [torch.ones(shape, device=run.device) for _ in range(3)]
    numbers = _inputs(shape, "float32", run)
    reference = naive(*(tensor.double() for tensor in numbers))
    for name, attention in {FUSED: fused, **WRONG}.items():
        element = compare(attention(*ones)[0, 0, 0, 0], naive(*ones)[0, 0, 0, 0])
        run.seen.check(name, names.LAB_CHECK, element)
        run.seen.check(name, names.REAL_CHECK, compare(attention(*numbers), reference))
