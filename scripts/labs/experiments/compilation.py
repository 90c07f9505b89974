"""torch.compile against eager execution: the first call, every call after it, and the modes.

A mode is what the lab's code leaves out: ``eval()`` and ``no_grad()``.  "train+grad" is the lab's
own code, "eval+no_grad" the corrected one.  All models and modes of a replicate share a fresh
process with an empty compiler cache; the first of them also waits for the compiler's own start, as
whoever runs the lab's code does, and is named apart from the others for it.
"""

from __future__ import annotations

import copy
import random
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import nn

from labs.measure.clock import Call, every_call
from labs.measure.compiler import CompilerLog, graphs_compiled
from labs.measure.correctness import compare, require
from labs.measure.processes import Progress, run_fresh
from labs.measure.rounds import interleave
from labs.models import untrained as models
from labs.records.names.compilation import COLD, COMPILED, EAGER, MODES, WARM, started
from labs.records.names.timing import again
from labs.records.observations import Observations
from labs.records.rows import Row

WARM_CACHE_CALLS = 5


@dataclass(frozen=True)
class Workload:
    """What is run: a model by name, the modes it is compiled in, in their order, and the sizes that
    make it and its input.
    """

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


@dataclass(frozen=True)
class Plan:
    """How much is measured: the workloads in their order, the iteration counts, fresh processes,
    and interleaved rounds within each.
    """

    workloads: tuple[Workload, ...]
    counts: tuple[int, ...]
    processes: int
    rounds: int


def measure(
    plan: Plan, device: str, threads: int, seed: int
) -> tuple[list[dict[str, list[Row]]], list[Row]]:
    """Return the rows of all processes, and the load around each of them.

    A replicate is a process that finds no cache, and one that finds what the first left behind.
    """
    rng = random.Random(seed)
    progress = Progress(f"torch.compile on {device}", 2 * plan.processes)
    common = {"workloads": [asdict(workload) for workload in plan.workloads], "device": device}
    visits: tuple[tuple[str, Callable[..., Observations], dict[str, Any]], ...] = (
        ("cold cache", observe, {"calls": max(plan.counts), "rounds": plan.rounds}),
        ("warm cache", observe_warm_cache, {}),
    )
    rows, loads = [], []
    for replicate in range(plan.processes):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
            for name, function, arguments in visits:
                progress.step(name)
                own = {"process": replicate, "seed": rng.randrange(2**32)}
                done = run_fresh(
                    function,
                    {**common, **arguments, **own},
                    threads=threads,
                    rng=rng,
                    cache=Path(cache),
                )
                rows.append(done["rows"])
                loads.append({"process": replicate, "visit": name, **done["load"]})
    return rows, loads


def observe(
    process: int,
    workloads: list[dict[str, Any]],
    device: str,
    calls: int,
    rounds: int,
    seed: int,
) -> Observations:
    """Return what one process saw of the workloads, one after the other."""
    seen = Observations(process)
    torch.manual_seed(seed)
    cache = COLD
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
    """Keep what is seen of one model; ``cache`` is the state that its first compilation finds.

    Each mode runs as the lab's code does: ``calls`` eager iterations, then as many compiled ones,
    the compilation among them.  At the end all arms are timed in interleaved rounds, and eager in
    the remaining modes beside them: these cost no compilation.
    """
    model, data = workload.build(device)
    arms: dict[tuple[str, str], Call] = {}
    for mode in workload.modes:
        case = {"model": workload.model, "mode": mode}
        eager_model = copy.deepcopy(model).train(mode.startswith("train"))
        eager = _call(eager_model, data, mode)
        compiled = _call(torch.compile(copy.deepcopy(eager_model)), data, mode)
        seen.sample("first calls", EAGER, every_call(eager, calls), 1, **case)
        _first_calls(seen, compiled, calls, {**case, "cache": cache})
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
        raise RuntimeError("torch.compile recompiled while it was timed: the samples are worthless")
    for (arm, mode), timing in timings.items():
        seen.timing(arm, timing, model=workload.model, mode=mode)


def observe_warm_cache(
    process: int, workloads: list[dict[str, Any]], device: str, seed: int
) -> Observations:
    """Return the first calls of each workload's first mode in a process that finds its cache."""
    seen = Observations(process)
    torch.manual_seed(seed)
    cache = WARM
    for sizes in workloads:
        workload = Workload(**sizes)
        mode = workload.modes[0]
        model, data = workload.build(device)
        compiled = _call(torch.compile(model.train(mode.startswith("train"))), data, mode)
        case = {"model": workload.model, "mode": mode, "cache": cache}
        _first_calls(seen, compiled, WARM_CACHE_CALLS, case)
        cache = started(cache)
    return seen


def _call(model: Any, data: torch.Tensor, mode: str) -> Callable[[], torch.Tensor]:
    """Return a call of the model in its mode; no_grad() is entered once a call, as a user would."""
    gradients = mode.endswith("+grad")

    def call() -> torch.Tensor:
        with torch.set_grad_enabled(gradients):
            output: torch.Tensor = model(data)
        return output

    return call


def _first_calls(seen: Observations, compiled: Call, calls: int, case: dict[str, Any]) -> None:
    """Keep the time of every call from the first, and what the compiler did in them."""
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
    """Return how the whole outputs of both arms compare; raise when they do not agree.

    Dropout draws other numbers when compiled.  There the graph is compiled once more with eager's
    random numbers (Inductor's ``fallback_random``), for this comparison only.
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
