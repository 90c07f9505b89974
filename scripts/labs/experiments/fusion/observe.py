"""Kernel fusion, the second part of the lab: attention, and linear + ReLU, in the same processes.

They share processes because each process with an empty cache first waits for the compiler to start,
whatever it then compiles.
"""

import random
from functools import partial
from typing import Any

import torch

from labs.experiments.fusion.attention import observe as attention
from labs.experiments.fusion.linear_relu import observe as linear_relu
from labs.experiments.fusion.linear_relu.names import ONE_OPERATOR
from labs.experiments.fusion.run import Run
from labs.experiments.fusion.sizes import SETTINGS, AttentionSizes
from labs.jobs.arguments import arguments_for
from labs.jobs.timing import TimingJob
from labs.measure import bounds
from labs.measure.clock import every_call
from labs.records.observations import Observations
from labs.records.rows import Case


@torch.no_grad()
def observe(
    process: int,
    sizes: dict[str, Any],
    linear_shape: list[int],
    linear_dtypes: list[str],
    rounds: int,
    device: str,
    seed: int,
    cold: bool,
    converged: list[Case],
) -> Observations:
    """Return one process's observations: the bounds, then both parts in random order.

    ``sizes`` are those of attention.
    """
    rng = random.Random(seed)
    torch.manual_seed(seed)
    run = Run(Observations(process), rounds, device, rng, cold, converged)
    bounds.observe_copy(run.seen, rounds, device)
    if cold:
        _observe_smallest_compilation(run.seen, device)
    parts = [
        partial(attention.observe, run, AttentionSizes(**sizes)),
        partial(linear_relu.observe, run, linear_shape, linear_dtypes),
    ]
    for observe_part in rng.sample(parts, len(parts)):
        observe_part()
    return run.seen


def _observe_smallest_compilation(seen: Observations, device: str) -> None:
    """Record the first calls of two minimal compilations, one after the other.

    The first is the least that torch.compile costs with an empty cache.
    """
    x = torch.randn(1024, device=device)
    for order, function in (("first", torch.relu), ("second", torch.sigmoid)):
        compiled = torch.compile(function)
        seconds = every_call(partial(compiled, x), 1)
        seen.sample("first calls", ONE_OPERATOR, seconds, 1, order=order)


JOB = TimingJob(
    "fusion",
    observe,
    SETTINGS,
    compiles=True,
    narrows=True,
    inputs=lambda arguments: {"sizes": arguments_for(arguments, AttentionSizes)},
)
