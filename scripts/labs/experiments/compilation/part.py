"""What the records of torch.compile have in common: one model's times, first calls, and compiler.

Records are of the lab's loop, and of modes and sizes; each model has a part of its record.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import pandas as pd

from labs.analysis.frame import Samples, Value, exactly, fact_by_process, processes, slug
from labs.analysis.statistics import location, quotient
from labs.experiments.compilation.names import (
    BERT_TINY,
    COLD,
    COMPILED,
    CORRECTED,
    EAGER,
    FIRST_CALL,
    LIBRARY,
    MODES,
    ONE,
    PROFILED,
    RESNET18,
    SMALL,
    WARM,
    started,
)
from labs.records.record import Record

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
    def label(self) -> str:
        """The model's name in tables and figures, with its batch."""
        spec = self.record["spec"]
        return {
            RESNET18: f"ResNet-18, {spec.get('batch_size')} images",
            SMALL: f"ResNet-18, {spec.get('small_batch_size')} images",
            ONE: "ResNet-18, one image",
            BERT_TINY: "BERT-tiny",
        }[self.model]

    @cached_property
    def samples(self) -> Samples:
        """The model's samples."""
        return Samples(self.record, model=self.model)

    @cached_property
    def modes(self) -> list[str]:
        """The modes that the model was compiled in."""
        return [mode for mode in MODES if len(self.samples.steady(COMPILED, mode=mode))]

    def facts(self, name: str, mode: str, cache: str) -> pd.Series:
        """Return a fact about the compiled model, one value per process."""
        case = {"model": self.model, "mode": mode, "cache": cache}
        return fact_by_process(self.record, name, COMPILED, **case)

    def state(self, cache: str, mode: str) -> str:
        """Return the state of a cache, cold or warm, at the first call in a mode.

        The first compilation of a process waits for the compiler, which has started at all others.
        """
        waited = self.samples.series(FIRST_CALL, COMPILED, mode=mode, cache=cache)
        return cache if len(waited) else started(cache)

    def first_calls(self, mode: str, cache: str = COLD) -> pd.Series:
        """Return each process's first call of the compiled model, in seconds."""
        state = self.state(cache, mode)
        runs = self.samples.series(FIRST_CALL, COMPILED, mode=mode, cache=state)
        return runs.map(itemgetter(0))


def part_values(part: Part) -> dict[str, Value]:
    """Return every number about one model that both records have, by name."""
    found = {f"{part.prefix}.processes": processes(part.record)}
    for mode in part.modes:
        name = f"{part.prefix}.{slug(mode)}"
        found[f"{name}.eager.steady"] = part.samples.time(EAGER, mode=mode)
        found[f"{name}.compiled.steady"] = part.samples.time(COMPILED, mode=mode)
        found[f"{name}.speedup"] = part.samples.speedup(EAGER, COMPILED, mode=mode)
        found |= _first_call_values(part, mode)
        found |= _break_even(part, mode)
    if CORRECTED in part.modes:
        found |= _library_values(part)
    return found


def _first_call_values(part: Part, mode: str) -> dict[str, Value]:
    """Return a mode's first compiled call with an empty cache, its stages, and what was made."""
    name, cache = f"{part.prefix}.{slug(mode)}", part.state(COLD, mode)
    first = part.first_calls(mode)
    found = {f"{name}.first_call": part.samples.location(first, "s")}
    for stage in STAGES:
        spent = part.facts(stage, mode, cache)
        found[f"{name}.{stage}"] = part.samples.location(spent, "s")
        found[f"{name}.{stage}.share"] = part.samples.of_ratios(spent / first, "share")
    for fact_name, short in COUNTS.items():
        counted = part.facts(fact_name, mode, cache)
        found[f"{name}.{short}"] = exactly(max(counted), "count")
    return found


def _break_even(part: Part, mode: str) -> dict[str, Value]:
    """Return the number of iterations after which compiling pays off, if it does.

    There is none unless steady iterations are shown to be faster, in every process, and none where
    a first call costs nothing extra. It is the extra cost of the first call, of the processes that
    compiled, divided by the gain of a later one, of all processes: exact if the iterations are
    steady, a projection if it exceeds the iterations that were run.
    """
    eager, compiled = (part.samples.medians(arm, mode=mode) for arm in (EAGER, COMPILED))
    speedup = part.samples.speedup(EAGER, COMPILED, mode=mode).estimate
    gains, costs = eager - compiled, part.first_calls(mode) - compiled.median()
    if not (min(*gains, *costs) > 0 and speedup.low > 1):
        return {}
    needed = quotient(costs, gains, part.samples.first_stage)
    return {f"{part.prefix}.{slug(mode)}.break_even": Value(needed, "count")}


def _library_values(part: Part) -> dict[str, Value]:
    """Return what convolutions and matrix products take of a call in the corrected mode.

    ``most.speedup`` is what eager code would gain if all else took no time.
    """
    case = {"model": part.model, "mode": CORRECTED}
    found = {}
    for arm in (EAGER, COMPILED):
        library, whole = (
            fact_by_process(part.record, name, arm, **case) for name in (LIBRARY, PROFILED)
        )
        found[f"{part.prefix}.{arm}.library"] = part.samples.location(library, "s")
        outside = 1 - library / whole
        found[f"{part.prefix}.{arm}.outside"] = part.samples.of_ratios(outside, "share")
        if arm == EAGER:
            found[f"{part.prefix}.most.speedup"] = part.samples.of_ratios(whole / library)
    return found


def warm_cache_values(part: Part) -> dict[str, Value]:
    """Return the first call with an empty cache, with a filled one, and the speed-up.

    Several processes may take what the same one left in a cache: they are one replicate.
    """
    samples, mode = part.samples, part.modes[0]
    caches = {load["process"]: load["cache"] for load in part.record["loads"]}
    without, later = (part.first_calls(mode, cache).rename(caches) for cache in (COLD, WARM))
    filled = later.groupby(level=0).agg(lambda calls: location(calls, samples.first_stage).value)
    return {
        f"{part.prefix}.cold_cache": samples.location(without, "s"),
        f"{part.prefix}.warm_cache": samples.location(filled, "s"),
        f"{part.prefix}.warm_cache.speedup": samples.of_ratios(without / filled),
    }
