"""What both records of torch.compile have in common: of each model, values and tables.

One record is of the lab's loop, the other of modes and sizes; each model has a part of its record.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, all_counted, columns, fact_by_process, processes
from labs.analysis.statistics import quotient
from labs.analysis.values import Tree, Values
from labs.experiments.compilation import names
from labs.experiments.compilation.names import COLD, COMPILED, CORRECTED, EAGER, MODES, WARM
from labs.records.quantity import Quantity
from labs.records.record import Record

LABELS = {
    names.RESNET18: "ResNet-18, {batch_size} images",
    names.SMALL: "ResNet-18, {small_batch_size} images",
    names.ONE: "ResNet-18, one image",
    names.BERT_TINY: "BERT-tiny",
}
"""The models in tables and figures, with their batches."""
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

    @cached_property
    def samples(self) -> Samples:
        return Samples(self.record, model=self.model)

    def modes(self, arm: str = COMPILED) -> list[str]:
        """Return the modes that an arm ran in."""
        return [mode for mode in MODES if len(self.samples.steady(arm, mode=mode))]

    def facts(self, name: str, arm: str = COMPILED, **case: str) -> pd.Series:
        """Return a fact about the model, one value per process."""
        return fact_by_process(self.record, name, arm, model=self.model, **case)

    def first_calls(self, mode: str, cache: str = COLD) -> tuple[pd.Series, dict[str, str]]:
        """Return each process's first call of the compiled model, in seconds, and its case.

        The first compilation of a process waits for the compiler, which has started at all others.
        """
        waited = self.samples.series(names.FIRST_CALL, COMPILED, mode=mode, cache=cache)
        case = {"mode": mode, "cache": cache if len(waited) else names.started(cache)}
        return self.samples.first(names.FIRST_CALL, COMPILED, **case), case


def by_model(parts: Iterable[Part], values: Callable[[Part], Tree]) -> Tree:
    """Return values of each part of a record, by model and device."""
    return {part.model: {part.record["device"]: values(part)} for part in parts}


def add_common(analysis: Analysis, experiment: str, parts: Callable[[Record], list[Part]]) -> None:
    """Register the values and tables that both records have, of all parts of one."""
    analysis.values(lambda record: by_model(parts(record), _values))
    analysis.table(f"{experiment}_first_call")(lambda record: _first_call_table(parts(record)))
    analysis.table_of_values(f"{experiment}_steady")(
        lambda record, values: _steady_table(parts(record), values)
    )


def _values(part: Part) -> Tree:
    eager = {mode: part.samples.time(EAGER, mode=mode) for mode in part.modes(EAGER)}
    compiled = part.modes()
    return {
        **{mode: {"eager": {"steady": time}} for mode, time in eager.items()},
        **{mode: _mode_values(part, mode, eager[mode]) for mode in compiled},
        **(_library_values(part) if CORRECTED in compiled else {}),
        "processes": processes(part.record),
    }


def _mode_values(part: Part, mode: str, eager: Quantity) -> Tree:
    """Return a mode's times, its first call with an empty cache by stages, and what was made."""
    samples, (first, case) = part.samples, part.first_calls(mode)
    speedup = samples.speedup(EAGER, COMPILED, mode=mode)
    counts = {name: max(part.facts(count, **case)) for count, name in COUNTS.items()}
    counts["beyond_one_graph"] = abs(counts["graphs"] - 1) + counts["graph_breaks"]
    return {
        "eager": {"steady": eager},
        "compiled": {"steady": samples.time(COMPILED, mode=mode)},
        "speedup": speedup,
        "first_call": samples.location(first, "s"),
        **{
            stage: {"share": samples.of_ratios(part.facts(stage, **case) / first, "share")}
            for stage in STAGES
        },
        **all_counted("count", counts),
        **_break_even(part, mode, first, speedup),
    }


def _break_even(part: Part, mode: str, first: pd.Series, speedup: Quantity) -> Tree:
    """Return the number of iterations after which compiling pays off, if it does.

    There is none unless steady iterations are shown to be faster, in every process, and none where
    a first call costs nothing extra. It is the extra cost of the first call, of the processes that
    compiled, divided by the gain of a later one, of all processes: exact if the iterations are
    steady, a projection if it exceeds the iterations that were run.
    """
    eager, compiled = (part.samples.medians(arm, mode=mode) for arm in (EAGER, COMPILED))
    gains, costs = eager - compiled, first - compiled.median()
    if not (min(*gains, *costs) > 0 and speedup.low > 1):
        return {}
    return {"break_even": Quantity.of(quotient(costs, gains, part.samples.first_stage), "count")}


def _library_values(part: Part) -> Tree:
    """Return what convolutions and matrix products take of a call in the corrected mode.

    ``most.speedup`` is what eager code would gain if all else took no time.
    """
    samples, mode = part.samples, CORRECTED
    eager, compiled = (part.facts(names.LIBRARY, arm, mode=mode) for arm in (EAGER, COMPILED))
    whole = part.facts(names.PROFILED, EAGER, mode=mode)
    return {
        "eager": {
            "library": samples.location(eager, "s"),
            "outside": samples.of_ratios(1 - eager / whole, "share"),
        },
        "compiled": {"library": samples.location(compiled, "s")},
        "most": {"speedup": samples.of_ratios(whole / eager)},
    }


def _steady_table(parts: Sequence[Part], values: Values) -> pd.DataFrame:
    """Return one row per model, mode and arm: steady time with its interval, and flags."""
    table = []
    for part, mode, arm in product(parts, MODES, (EAGER, COMPILED)):
        time = part.model, part.record["device"], mode, arm, "steady"
        if time in values:
            row = {**_head(part, mode), "arm": arm, **columns(seconds=values[time])}
            table.append(row | {"flags": part.samples.flags(arm, mode=mode)})
    return pd.DataFrame(table)


def _first_call_table(parts: Sequence[Part]) -> pd.DataFrame:
    """Return one row per model, mode and cache state: the first call, its stages, and counts."""
    table = []
    for part, cache in product(parts, (COLD, WARM)):
        for mode in part.modes():
            seconds, case = part.first_calls(mode, cache)
            if seconds.empty:
                continue
            first = part.samples.location(seconds, "s")
            stages = {stage: float(part.facts(stage, **case).mean()) for stage in STAGES}
            row = {**_head(part, mode), "cache": case["cache"], **columns(seconds=first), **stages}
            row["rest"] = max(0.0, first.value - sum(stages.values()))
            row |= {name: max(part.facts(count, **case)) for count, name in COUNTS.items()}
            table.append(row)
    return pd.DataFrame(table)


def _head(part: Part, mode: str) -> dict[str, Any]:
    label = LABELS[part.model].format(**part.record["spec"])
    return {"model": label, "device": part.record["device"], "mode": mode}
