"""What the records of torch.compile have in common: one model's times, first calls, and compiler.

Records are of the lab's loop, and of modes and sizes; each model has a part of its record.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

import pandas as pd

from labs.analysis.frame import Samples, fact_by_process, prefixed, processes
from labs.analysis.statistics import quotient
from labs.analysis.values import slug
from labs.experiments.compilation import names
from labs.experiments.compilation.names import COLD, COMPILED, CORRECTED, EAGER
from labs.records.quantity import Quantity, counted
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
            names.RESNET18: f"ResNet-18, {spec.get('batch_size')} images",
            names.SMALL: f"ResNet-18, {spec.get('small_batch_size')} images",
            names.ONE: "ResNet-18, one image",
            names.BERT_TINY: "BERT-tiny",
        }[self.model]

    @cached_property
    def samples(self) -> Samples:
        """The model's samples."""
        return Samples(self.record, model=self.model)

    @cached_property
    def modes(self) -> list[str]:
        """The modes that the model was compiled in."""
        return [mode for mode in names.MODES if len(self.samples.steady(COMPILED, mode=mode))]

    def facts(self, name: str, mode: str, cache: str) -> pd.Series:
        """Return a fact about the compiled model, one value per process."""
        case = {"model": self.model, "mode": mode, "cache": cache}
        return fact_by_process(self.record, name, COMPILED, **case)

    def state(self, cache: str, mode: str) -> str:
        """Return the state of a cache, cold or warm, at the first call in a mode.

        The first compilation of a process waits for the compiler, which has started at all others.
        """
        waited = self.samples.series(names.FIRST_CALL, COMPILED, mode=mode, cache=cache)
        return cache if len(waited) else names.started(cache)

    def first_calls(self, mode: str, cache: str = COLD) -> pd.Series:
        """Return each process's first call of the compiled model, in seconds."""
        state = self.state(cache, mode)
        calls = self.samples.series(names.FIRST_CALL, COMPILED, mode=mode, cache=state)
        return calls.map(itemgetter(0))


def part_values(part: Part) -> dict[str, Quantity]:
    """Return every number about one model that both records have, by name without the prefix."""
    values = {"processes": processes(part.record)}
    for mode in part.modes:
        values |= prefixed(slug(mode), _mode_values(part, mode))
    if CORRECTED in part.modes:
        values |= _library_values(part)
    return values


def _mode_values(part: Part, mode: str) -> dict[str, Quantity]:
    """Return a mode's times, its first call with an empty cache by stages, and what was made."""
    samples, cache, first = part.samples, part.state(COLD, mode), part.first_calls(mode)
    values = {
        "eager.steady": samples.time(EAGER, mode=mode),
        "compiled.steady": samples.time(COMPILED, mode=mode),
        "speedup": samples.speedup(EAGER, COMPILED, mode=mode),
        "first_call": samples.location(first, "s"),
    }
    for stage in STAGES:
        seconds = part.facts(stage, mode, cache)
        values[stage] = samples.location(seconds, "s")
        values[f"{stage}.share"] = samples.of_ratios(seconds / first, "share")
    for fact_name, name in COUNTS.items():
        values[name] = counted(max(part.facts(fact_name, mode, cache)), "count")
    return values | _break_even(part, mode, values["speedup"])


def _break_even(part: Part, mode: str, speedup: Quantity) -> dict[str, Quantity]:
    """Return the number of iterations after which compiling pays off, if it does.

    There is none unless steady iterations are shown to be faster, in every process, and none where
    a first call costs nothing extra. It is the extra cost of the first call, of the processes that
    compiled, divided by the gain of a later one, of all processes: exact if the iterations are
    steady, a projection if it exceeds the iterations that were run.
    """
    eager, compiled = (part.samples.medians(arm, mode=mode) for arm in (EAGER, COMPILED))
    gains, costs = eager - compiled, part.first_calls(mode) - compiled.median()
    if not (min(*gains, *costs) > 0 and speedup.low > 1):
        return {}
    return {"break_even": Quantity.of(quotient(costs, gains, part.samples.first_stage), "count")}


def _library_values(part: Part) -> dict[str, Quantity]:
    """Return what convolutions and matrix products take of a call in the corrected mode.

    ``most.speedup`` is what eager code would gain if all else took no time.
    """
    samples, case, values = part.samples, {"model": part.model, "mode": CORRECTED}, {}
    for arm in (EAGER, COMPILED):
        library, whole = (
            fact_by_process(part.record, name, arm, **case)
            for name in (names.LIBRARY, names.PROFILED)
        )
        values[f"{arm}.library"] = samples.location(library, "s")
        values[f"{arm}.outside"] = samples.of_ratios(1 - library / whole, "share")
        if arm == EAGER:
            values["most.speedup"] = samples.of_ratios(whole / library)
    return values
