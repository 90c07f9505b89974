"""A linear layer followed by ReLU: what the lab explains kernel fusion with.

Fusing saves one write and one read of the layer's output.  Whether torch.compile fuses depends on
the arm: by default the matrix product stays a library call with the ReLU as a kernel behind it;
with the weights frozen, Inductor may hand both to one library call.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from labs.measure import bounds
from labs.measure.clock import every_call
from labs.measure.compiler import CompilerLog, graphs_compiled
from labs.measure.correctness import compare, require
from labs.measure.memory import peak_bytes
from labs.measure.observations import Observations
from labs.measure.processes import repeat
from labs.measure.rounds import interleave
from labs.rows import Row


class LinearReLU(nn.Module):
    """The lab's module: a linear layer, then ReLU."""

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return relu(x Wᵀ + b) of shape (batch, out features) for x of (batch, in features)."""
        return self.relu(self.linear(x))


@dataclass(frozen=True)
class Plan:
    """The layer's sizes, number formats by torch's names, and how often."""

    batch_size: int
    in_features: int
    out_features: int
    dtypes: tuple[str, ...]
    processes: int
    rounds: int


def measure(
    plan: Plan, device: str, threads: int, seed: int
) -> tuple[list[dict[str, list[Row]]], list[Row]]:
    """Return the rows of all processes, and the load around each of them."""
    return repeat(
        f"linear + ReLU on {device}",
        observe,
        {"plan": asdict(plan), "device": device},
        processes=plan.processes,
        threads=threads,
        seed=seed,
    )


@torch.no_grad()
def observe(process: int, plan: dict[str, Any], device: str, seed: int) -> Observations:
    """Return what one process saw of every number format, in random order.

    The very first compilation in it is that of ReLU alone: what torch.compile costs at the least
    when its cache is empty.
    """
    seen = Observations(process)
    rng = random.Random(seed)
    torch.manual_seed(seed)
    bounds.observe_copy(seen, plan["rounds"], device)
    _observe_smallest_compilation(seen, device)
    for dtype in rng.sample(plan["dtypes"], len(plan["dtypes"])):
        model = LinearReLU(plan["in_features"], plan["out_features"])
        model = model.to(device, getattr(torch, dtype)).eval()
        x = torch.randn(plan["batch_size"], plan["in_features"], device=device).to(
            getattr(torch, dtype)
        )
        _observe_format(seen, model, x, rng, plan["rounds"], device, dtype)
    return seen


def _observe_smallest_compilation(seen: Observations, device: str) -> None:
    """Keep the first calls of the two smallest compilations there are, one after the other."""
    x = torch.randn(1024, device=device)
    for order, function in (("first", torch.relu), ("second", torch.sigmoid)):
        compiled = torch.compile(function)
        seconds = every_call(lambda: compiled(x), 1)  # noqa: B023  (called at once)
        seen.sample("first calls", "one operator, compiled", seconds, 1, order=order)


def _observe_format(
    seen: Observations,
    model: LinearReLU,
    x: torch.Tensor,
    rng: random.Random,
    rounds: int,
    device: str,
    dtype: str,
) -> None:
    """Check and time all arms in one number format."""
    y = model.linear(x)
    arms: dict[str, Callable[[], torch.Tensor]] = {"eager": lambda: model(x)}
    for arm, options in {"compiled": {}, "compiled, frozen weights": {"freezing": True}}.items():
        compiled = torch.compile(model, options=options)
        with CompilerLog() as log:
            compiled(x)
        for name in ("generated kernels", "library calls"):
            seen.fact(name, log.counts[name], "count", arm, dtype=dtype)
        arms[arm] = _bind(compiled, x)
    reference = F.relu(F.linear(x.double(), model.linear.weight.double(), model.linear.bias.double()))
    for arm, call in arms.items():
        result = compare(call(), reference)
        seen.check(arm, "float64", require(result, f"{arm}, {dtype}"), dtype=dtype)
    if seen.process == 0:
        for arm, call in arms.items():
            seen.fact("peak memory", peak_bytes(call, device), "bytes", arm, dtype=dtype)
    arms |= {
        "eager again": arms["eager"],
        "linear alone": lambda: model.linear(x),
        "ReLU alone": lambda: F.relu(y),
    }
    graphs = graphs_compiled()
    for arm, timing in interleave(arms, rounds, rng, device).items():
        seen.timing(arm, timing, dtype=dtype)
    if graphs_compiled() != graphs:
        raise RuntimeError("torch.compile recompiled while it was timed: the samples are worthless")


def _bind(model: Callable[[torch.Tensor], torch.Tensor], x: torch.Tensor) -> Any:
    return lambda: model(x)
