"""Values of torch.compile: steady times, first calls, break-even, and the modes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, exactly, fact, processes, slug
from labs.analysis.statistics import in_rounds, location, of_ratios, quotient, ratio
from labs.records.names.compilation import (
    COLD,
    COMPILED,
    CORRECTED,
    EAGER,
    EVAL_GRAD,
    LAB,
    MODES,
    WARM,
    started,
)
from labs.records.record import Record

ANALYSIS = Analysis("compilation")

MODELS = {"resnet18": "ResNet-18", "bert-tiny": "BERT-tiny"}
STAGES = ("Dynamo", "AOTAutograd", "Inductor")
COUNTS = {
    "graphs": "graphs",
    "graph breaks": "graph_breaks",
    "captured operators": "operators",
    "nodes before fusion": "nodes",
    "generated kernels": "kernels",
    "library calls": "library_calls",
    "recompilations": "recompilations",
}


@dataclass(frozen=True)
class Part:
    """One model's part of a record."""

    record: Record
    model: str

    @property
    def prefix(self) -> str:
        """The prefix of the names of the model's values."""
        return f"compilation.{self.model}.{self.record['device']}"

    @property
    def modes(self) -> list[str]:
        """The modes that the model was compiled in, in order."""
        found: list[str] = self.record["spec"][f"{self.model.replace('-', '_')}_modes"]
        return found

    @cached_property
    def samples(self) -> Samples:
        """The model's samples."""
        return Samples(self.record, model=self.model)

    def facts(self, name: str, mode: str, cache: str) -> list[Any]:
        """Return a fact about the compiled model, one value per process."""
        return fact(self.record, name, COMPILED, model=self.model, mode=mode, cache=cache)

    def cold(self, mode: str) -> str:
        """Return the cache state of a mode's own first call, whose cache is always empty."""
        return self._state(COLD, mode)

    def warm(self) -> str:
        """Return the cache state of the first mode's first call in a second process."""
        return self._state(WARM, self.modes[0])

    def first_calls(self, mode: str) -> list[list[float]]:
        """Return the seconds of each process's compiled iterations, the one that compiles first."""
        return self.samples.series("first calls", COMPILED, mode=mode, cache=self.cold(mode))

    def _state(self, cache: str, mode: str) -> str:
        # A process compiles the first mode of the first model before anything else.
        first = self.model == next(iter(MODELS)) and mode == self.modes[0]
        return cache if first else started(cache)


def parts(record: Record) -> list[Part]:
    """Return a record's parts, one per model."""
    return [Part(record, model) for model in MODELS]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about this record that the report may quote, by name."""
    return {name: value for part in parts(record) for name, value in part_values(part).items()}


def part_values(part: Part) -> dict[str, Value]:
    """Return every number about one model, by name."""
    samples, start = part.samples, part.prefix
    found = {f"{start}.processes": processes(part.record)}
    for mode in MODES:
        found[f"{start}.{slug(mode)}.eager.steady"] = samples.time(EAGER, mode=mode)
    found |= _ablation_values(part)
    for mode in part.modes:
        name = f"{start}.{slug(mode)}"
        found[f"{name}.compiled.steady"] = samples.time(COMPILED, mode=mode)
        found[f"{name}.speedup"] = samples.speedup(EAGER, COMPILED, mode=mode)
        found |= _first_call_values(part, mode)
        found |= _count_values(part, mode)
    found[f"{start}.noise_floor"] = exactly(samples.floor(EAGER, mode=part.modes[0]), "share")
    found |= _warm_cache_values(part)
    if {LAB, CORRECTED} <= set(part.modes):
        found |= _mode_values(part)
    return found


def _ablation_values(part: Part) -> dict[str, Value]:
    """Return the speed-ups of eval(), then of no_grad(), then of both, without compiling."""
    name = f"{part.prefix}.modes"
    lab, evaluating, corrected = (
        part.samples.steady(EAGER, mode=mode) for mode in (LAB, EVAL_GRAD, CORRECTED)
    )
    return {
        f"{name}.eager.{what}speedup": Value(of_ratios(in_rounds(*arms)), "ratio")
        for what, arms in (
            ("eval.", (lab, evaluating)),
            ("no_grad.", (evaluating, corrected)),
            ("", (lab, corrected)),
        )
    }


def _mode_values(part: Part) -> dict[str, Value]:
    """Return the corrected mode's speed-up when compiled, and how much more it gains thereby."""
    name = f"{part.prefix}.modes"
    modes = [part.samples.steady(COMPILED, mode=mode) for mode in (LAB, CORRECTED)]
    gains = [part.samples.ratios(EAGER, COMPILED, mode=mode) for mode in (CORRECTED, LAB)]
    return {
        f"{name}.compiled.speedup": Value(of_ratios(in_rounds(*modes)), "ratio"),
        f"{name}.gain.speedup": Value(ratio(*gains), "ratio"),
    }


def _first_call_values(part: Part, mode: str) -> dict[str, Value]:
    """Return a mode's first compiled call, its stages, and its break-even point."""
    name = f"{part.prefix}.{slug(mode)}"
    first = [seconds[0] for seconds in part.first_calls(mode)]
    found = {f"{name}.first_call": Value(location(first), "s")}
    for stage in STAGES:
        spent = part.facts(stage, mode, part.cold(mode))
        found[f"{name}.{stage}"] = Value(location(spent), "s")
        shares = [part / whole for part, whole in zip(spent, first, strict=True)]
        found[f"{name}.{stage}.share"] = Value(of_ratios(shares), "share")
    for fact_name, short in COUNTS.items():
        counted = part.facts(fact_name, mode, part.cold(mode))
        found[f"{name}.{short}"] = exactly(max(counted), "count")
    return found | _break_even(part, mode)


def _break_even(part: Part, mode: str) -> dict[str, Value]:
    """Return the number of iterations after which compiling pays off, if it does.

    There is none unless steady iterations are shown to be faster, in every process, and none where
    a first call costs nothing extra. It is the extra cost of the first call, of the processes that
    compiled, divided by the gain of a later one, of all processes: exact if the iterations are
    steady, a projection if it exceeds the iterations that were run.
    """
    eager, compiled = (part.samples.medians(arm, mode=mode) for arm in (EAGER, COMPILED))
    speedup = part.samples.speedup(EAGER, COMPILED, mode=mode).estimate
    gains = [slow - fast for slow, fast in zip(eager, compiled, strict=True)]
    costs = [seconds[0] - float(np.median(seconds[1:])) for seconds in part.first_calls(mode)]
    if not (min(*gains, *costs) > 0 and speedup.low > 1):
        return {}
    needed = quotient(costs, gains)
    return {f"{part.prefix}.{slug(mode)}.break_even": Value(needed, "count")}


def _count_values(part: Part, mode: str) -> dict[str, Value]:
    """Return the means over the first n iterations, including the first call.

    Eager's are of every process, the compiled model's of those that compiled.
    """
    name = f"{part.prefix}.{slug(mode)}"
    found = {}
    eager, compiled = part.samples.series("first calls", EAGER, mode=mode), part.first_calls(mode)
    for count in part.record["spec"]["counts"]:
        means = [[float(np.mean(run[:count])) for run in arm] for arm in (eager, compiled)]
        found[f"{name}.n{count}.eager"] = Value(location(means[0]), "s")
        found[f"{name}.n{count}.compiled"] = Value(location(means[1]), "s")
        found[f"{name}.n{count}.speedup"] = Value(quotient(*means), "ratio")
    for word, count in (
        ("few", part.record["spec"]["counts"][0]),
        ("many", part.record["spec"]["counts"][-1]),
    ):
        found[f"{name}.{word}"] = exactly(count, "count")
        for arm in (EAGER, COMPILED, "speedup"):
            found[f"{name}.{word}.{arm}"] = found[f"{name}.n{count}.{arm}"]
    return found


def _warm_cache_values(part: Part) -> dict[str, Value]:
    """Return the first call with an empty cache, with a filled one, and the speed-up.

    Processes took the caches in turn: those that took the same are one replicate.
    """
    mode = part.modes[0]
    runs = [
        part.samples.series("first calls", COMPILED, mode=mode, cache=cache)
        for cache in (part.cold(mode), part.warm())
    ]
    without, later = ([seconds[0] for seconds in run] for run in runs)
    number = len(without)
    filled = [location(later[cache::number]).value for cache in range(number)]
    return {
        f"{part.prefix}.cold_cache": Value(location(without), "s"),
        f"{part.prefix}.warm_cache": Value(location(filled), "s"),
        f"{part.prefix}.warm_cache.speedup": Value(ratio(without, filled), "ratio"),
    }
