"""torch.compile against eager execution: the first call, later calls, and the modes.

Modes vary what the lab's code leaves out, ``eval()`` and ``no_grad()``: "train+grad" is the lab's
own code, "eval+no_grad" the corrected one.  All models and modes of a replicate share a fresh
process, whose compiler cache is empty or was left by an earlier one.  The first of them also waits
for the compiler to start, as users of the lab's code do, so its cache state has its own name.
"""

from __future__ import annotations

import copy
import gc
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from labs.measure.clock import Call, every_call
from labs.measure.compiler import CompilerLog, graphs_compiled
from labs.measure.correctness import compare, require
from labs.measure.rounds import interleave
from labs.models import untrained as models
from labs.records.names.compilation import COLD, COMPILED, EAGER, MODES, WARM, started
from labs.records.names.timing import again
from labs.records.observations import Observations

WARM_CACHE_CALLS = 5


@dataclass(frozen=True)
class Workload:
    """A model by name, its modes in compilation order, and the sizes of model and input."""

    model: str
    modes: tuple[str, ...]
    batch_size: int
    image_size: int | None = None
    depths: tuple[int, ...] | None = None
    sequence_length: int | None = None
    layers: int | None = None

    def build(self, device: str) -> tuple[nn.Module, torch.Tensor]:
        """Return the model in train() mode, as the lab leaves it, and one input batch."""
        if self.model == "resnet18":
            assert self.depths and self.image_size
            model = models.resnet18(self.depths)
            data = models.images(self.batch_size, self.image_size)
        else:
            assert self.layers and self.sequence_length
            model = models.bert_tiny(self.layers)
            data = models.tokens(self.batch_size, self.sequence_length)
        return model.train().to(device), data.to(device)


def observe(
    process: int,
    workloads: list[dict[str, Any]],
    device: str,
    calls: int,
    rounds: int,
    seed: int,
    cold: bool,
) -> Observations:
    """Return one process's observations of the workloads, in order.

    With a warm cache it makes only ``WARM_CACHE_CALLS`` first compiled calls, since nothing
    compiles.
    """
    seen = Observations(process)
    torch.manual_seed(seed)
    cache = COLD if cold else WARM
    for sizes in workloads:
        _observe_model(seen, Workload(**sizes), device, calls, rounds, seed, cache)
        cache = started(cache)
    return seen


def _observe_model(
    seen: Observations,
    workload: Workload,
    device: str,
    calls: int,
    rounds: int,
    seed: int,
    cache: str,
) -> None:
    """Record one model; ``cache`` is the state of the cache at its first compilation.

    Each mode runs as in the lab's code: ``calls`` eager iterations, then as many compiled ones, the
    first of which compiles.  Then all arms are timed in interleaved rounds, together with eager
    execution in the remaining modes, which needs no compilation.
    """
    model, data = workload.build(device)
    arms: dict[tuple[str, str], Call] = {}
    for mode in workload.modes:
        case = {"model": workload.model, "mode": mode}
        eager_model = copy.deepcopy(model).train(mode.startswith("train"))
        eager = _call(eager_model, data, mode)
        compiled = _call(torch.compile(copy.deepcopy(eager_model)), data, mode)
        seen.sample("first calls", EAGER, every_call(eager, calls), 1, **case)
        first = calls if cache in (COLD, started(COLD)) else WARM_CACHE_CALLS
        _first_calls(seen, compiled, first, {**case, "cache": cache})
        cache = started(cache)
        if seen.process == 0:
            agreement = _agreement(eager_model, compiled, data, mode)
            seen.check(COMPILED, EAGER, agreement, **case)
        arms[EAGER, mode], arms[COMPILED, mode] = eager, compiled
    arms[again(EAGER), workload.modes[0]] = arms[EAGER, workload.modes[0]]
    for mode in MODES:
        if mode not in workload.modes:
            eager_model = copy.deepcopy(model).train(mode.startswith("train"))
            arms[EAGER, mode] = _call(eager_model, data, mode)

    graphs = graphs_compiled()
    timings = interleave(arms, rounds, random.Random(seed), device)
    if graphs_compiled() != graphs:
        raise RuntimeError("torch.compile recompiled while it was timed: the samples are invalid")
    for (arm, mode), timing in timings.items():
        seen.timing(arm, timing, model=workload.model, mode=mode)


def _call(model: Any, data: torch.Tensor, mode: str) -> Callable[[], torch.Tensor]:
    """Return a call of the model in a mode; it enters no_grad() once per call, as users do."""
    gradients = mode.endswith("+grad")

    def call() -> torch.Tensor:
        with torch.set_grad_enabled(gradients):
            output: torch.Tensor = model(data)
        return output

    return call


def _first_calls(seen: Observations, compiled: Call, calls: int, case: dict[str, Any]) -> None:
    """Record the time of every call, the first included, and what the compiler did.

    Garbage is collected before: a full collection over what earlier compilations left takes half a
    second, and would fall into this first call in one process and not in the next.
    """
    gc.collect()
    with CompilerLog() as first:
        seconds = every_call(compiled, 1)
    with CompilerLog() as later:
        seconds += every_call(compiled, calls - 1)
    seen.sample("first calls", COMPILED, seconds, 1, **case)
    for stage, spent in first.times.items():
        seen.fact(stage, spent, "s", COMPILED, **case)
    for name, count in first.counts.items():
        seen.fact(name, count, "count", COMPILED, **case)
    seen.fact("recompilations", later.counts["graphs"], "count", COMPILED, **case)


def _agreement(
    eager_model: nn.Module,
    compiled: Callable[[], torch.Tensor],
    data: torch.Tensor,
    mode: str,
) -> dict[str, Any]:
    """Compare the whole outputs of both arms; raise ArithmeticError when they do not agree.

    Compiled dropout draws other random numbers.  Such a model is compiled once more with eager's
    (Inductor's ``fallback_random``), for this comparison only.
    """
    eager = _call(eager_model, data, mode)
    random_output = eager_model.training and any(
        isinstance(module, nn.Dropout) and module.p > 0 for module in eager_model.modules()
    )
    if random_output:
        twin = torch.compile(copy.deepcopy(eager_model), options={"fallback_random": True})
        compiled = _call(twin, data, mode)
    outputs = []
    for call in (eager, compiled):
        torch.manual_seed(0)
        outputs.append(call())
    return require(compare(outputs[1], outputs[0]), f"torch.compile, {mode}")
