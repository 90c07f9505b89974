"""torch.compile against eager execution: the first call, every call after it, and the modes.

A mode is what the lab's code leaves out: ``eval()`` and ``no_grad()``.  "train+grad" is the lab's
own code, "eval+no_grad" the corrected one.  Modes that share train() or eval() share a process;
the first of them finds an empty compiler cache, so that its first call is what a user waits for.
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

from labs import models
from labs.measure.clock import Call, every_call
from labs.measure.compiler import CompilerLog, graphs_compiled
from labs.measure.correctness import compare, require
from labs.measure.observations import Observations
from labs.measure.processes import Progress, run_fresh
from labs.measure.rounds import interleave
from labs.rows import Row

LAB, CORRECTED = "train+grad", "eval+no_grad"
MODES = (LAB, "train+no_grad", CORRECTED, "eval+grad")
WARM_CACHE_CALLS = 5


@dataclass(frozen=True)
class Workload:
    """What is run: a model by name, and the sizes that make it and its input."""

    model: str
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
    """How much is measured: modes, iteration counts, fresh processes and interleaved rounds."""

    modes: tuple[str, ...]
    counts: tuple[int, ...]
    processes: int
    rounds: int

    def visits(self) -> list[tuple[str, ...]]:
        """Return the modes of each process of a replicate; the first of a visit finds no cache."""
        groups = [
            tuple(mode for mode in MODES if mode in self.modes and mode.startswith(training))
            for training in ("train", "eval")
        ]
        return [group for group in groups if group]


def measure(
    workload: Workload, plan: Plan, device: str, threads: int, seed: int
) -> tuple[list[dict[str, list[Row]]], list[Row]]:
    """Return the rows of all processes, and the load around each of them.

    A replicate is one process for each visit of the plan, in random order, then one that finds the
    compiler cache which the corrected mode left behind.
    """
    rng = random.Random(seed)
    visits = plan.visits()
    progress = Progress(f"{workload.model} on {device}", plan.processes * (len(visits) + 1))
    rows, loads = [], []

    for replicate in range(plan.processes):
        with tempfile.TemporaryDirectory() as caches:
            common = {"process": replicate, "workload": asdict(workload), "device": device}
            for visit in rng.sample(visits, len(visits)):
                progress.step(", ".join(visit))
                counts = {"calls": max(plan.counts), "rounds": plan.rounds}
                done = run_fresh(
                    observe,
                    {**common, **counts, "modes": visit, "seed": rng.randrange(2**32)},
                    threads=threads,
                    rng=rng,
                    cache=Path(caches) / visit[0],
                )
                rows.append(done["rows"])
                loads.append({"process": replicate, "visit": ", ".join(visit), **done["load"]})
            progress.step(f"{CORRECTED}, warm cache")
            done = run_fresh(
                observe_warm_cache, common, threads=threads, rng=rng, cache=Path(caches) / CORRECTED
            )
            rows.append(done["rows"])
            loads.append({"process": replicate, "visit": "warm cache", **done["load"]})
    return rows, loads


def observe(
    process: int,
    workload: dict[str, Any],
    device: str,
    modes: list[str],
    calls: int,
    rounds: int,
    seed: int,
) -> Observations:
    """Return what one process saw of its modes.

    The first mode runs as the lab's code does: ``calls`` eager iterations, then as many compiled
    ones, the compilation among them.  The other modes are compiled in the warmed-up process, and at
    the end all arms are timed in interleaved rounds.
    """
    seen = Observations(process)
    torch.manual_seed(seed)
    model, data = Workload(**workload).build(device)
    arms: dict[tuple[str, str], Call] = {}
    for mode in modes:
        eager_model = copy.deepcopy(model).train(mode.startswith("train"))
        eager = _call(eager_model, data, mode)
        compiled = _call(torch.compile(copy.deepcopy(eager_model)), data, mode)
        cold = mode == modes[0]
        if cold:
            seen.sample("first calls", "eager", every_call(eager, calls), 1, mode=mode)
        cache = "cold" if cold else "cold, second in its process"
        _first_calls(seen, compiled, calls if cold else 1, mode, cache)
        if process == 0:
            seen.check(
                "compiled", "eager", _agreement(eager_model, compiled, data, mode), mode=mode
            )
        arms["eager", mode], arms["compiled", mode] = eager, compiled
    arms["eager again", modes[0]] = arms["eager", modes[0]]

    graphs = graphs_compiled()
    timings = interleave(arms, rounds, random.Random(seed), device)
    if graphs_compiled() != graphs:
        raise RuntimeError("torch.compile recompiled while it was timed: the samples are worthless")
    for (arm, mode), timing in timings.items():
        seen.timing(arm, timing, mode=mode)
    return seen


def observe_warm_cache(process: int, workload: dict[str, Any], device: str) -> Observations:
    """Return the first calls of the corrected mode in a process that finds a filled cache."""
    seen = Observations(process)
    model, data = Workload(**workload).build(device)
    compiled = _call(torch.compile(model.eval()), data, CORRECTED)
    _first_calls(seen, compiled, WARM_CACHE_CALLS, CORRECTED, "warm")
    return seen


def _call(model: Any, data: torch.Tensor, mode: str) -> Callable[[], torch.Tensor]:
    """Return a call of the model in its mode; no_grad() is entered once a call, as a user would."""
    gradients = mode.endswith("+grad")

    def call() -> torch.Tensor:
        with torch.set_grad_enabled(gradients):
            output: torch.Tensor = model(data)
        return output

    return call


def _first_calls(seen: Observations, compiled: Call, calls: int, mode: str, cache: str) -> None:
    """Keep the time of every call from the first, and what the compiler did in them."""
    with CompilerLog() as first:
        seconds = every_call(compiled, 1)
    with CompilerLog() as later:
        seconds += every_call(compiled, calls - 1)
    seen.sample("first calls", "compiled", seconds, 1, mode=mode, cache=cache)
    for stage, spent in first.times.items():
        seen.fact(stage, spent, "s", "compiled", mode=mode, cache=cache)
    for name, count in first.counts.items():
        seen.fact(name, count, "count", "compiled", mode=mode, cache=cache)
    seen.fact("recompilations", later.counts["graphs"], "count", "compiled", mode=mode, cache=cache)


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
