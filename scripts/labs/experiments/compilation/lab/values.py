"""Values and tables of the lab's loop: ResNet-18 on the lab's batch, from the first call on."""

from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, paired, prefixed
from labs.analysis.statistics import noise_floor, quotient
from labs.analysis.values import Values, slug
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, FIRST_CALL, LAB, RESNET18
from labs.experiments.compilation.part import Part, part_values
from labs.experiments.compilation.part_tables import first_call_table, steady_table
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("compilation")
ARMS = (EAGER, COMPILED)


def part_of(record: Record) -> Part:
    """Return the record's only part."""
    return Part(record, RESNET18)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    part = part_of(record)
    values = {
        **part_values(part),
        **_sizes(record),
        **_speedups_of_modes(part),
        "noise_floor": counted(_floor(part), "share"),
    }
    for mode in part.modes:
        values |= prefixed(slug(mode), _means(part, mode))
    return prefixed(part.prefix, values)


def _sizes(record: Record) -> dict[str, Quantity]:
    """Return the sizes of the run; the batch of the settings, only where it did not fit."""
    spec = record["spec"]
    sizes = {"batch": spec["batch_size"], "pixels": spec["image_size"], "calls": spec["calls"]}
    sizes |= {"few": spec["counts"][0], "many": spec["counts"][-1], "runs": spec["processes"]}
    if spec["batch_size"] < spec["asked_batch_size"]:
        sizes["asked"] = spec["asked_batch_size"]
    return {name: counted(size, "count") for name, size in sizes.items()}


def _floor(part: Part) -> float:
    """Return the noise floor: how far eager calls may differ from those between them."""
    calls = part.samples.steady(EAGER, mode=CORRECTED)
    ratios = paired(calls.map(lambda run: run[0::2]), calls.map(lambda run: run[1::2]))
    return noise_floor(ratios, part.samples.first_stage)


def _means(part: Part, mode: str) -> dict[str, Quantity]:
    """Return the means over the first n iterations, including the first call.

    Of more iterations than were run, they are what the first ones and the median of the later ones
    come to.
    """
    counts, values = part.record["spec"]["counts"], dict[str, Quantity]()
    for count in counts:
        eager, compiled = (
            iterations(part, arm, mode).apply(total, count=count) / count for arm in ARMS
        )
        values |= {
            f"n{count}.eager": part.samples.location(eager, "s"),
            f"n{count}.compiled": part.samples.location(compiled, "s"),
            f"n{count}.speedup": part.samples.of_ratios(eager / compiled),
        }
    for word, count in (("few", counts[0]), ("many", counts[-1])):
        for name in (*ARMS, "speedup"):
            values[f"{word}.{name}"] = values[f"n{count}.{name}"]
    return values


def iterations(part: Part, arm: str, mode: str) -> pd.Series:
    """Return each process's calls of an arm in seconds, the first included."""
    first = part.samples.series(FIRST_CALL, arm, mode=mode)
    return first + part.samples.steady(arm, mode=mode)


def total(run: list[float], count: int) -> float:
    """Return the seconds of the first ``count`` calls; of more than were run, as projected."""
    return sum(run[:count]) + max(0, count - len(run)) * float(np.median(run[1:]))


def _speedups_of_modes(part: Part) -> dict[str, Quantity]:
    """Return what eval() and no_grad() gain together, eager and compiled, and for compiling.

    The modes ran in processes of their own.
    """
    samples = part.samples
    lab, corrected = (
        {
            "eager": samples.medians(EAGER, mode=mode),
            "compiled": samples.medians(COMPILED, mode=mode),
            # The slower compiled code is beside eager code, the less compiling gains.
            "gain": samples.ratios(COMPILED, EAGER, mode=mode),
        }
        for mode in (LAB, CORRECTED)
    )
    ratios = {name: quotient(lab[name], corrected[name], samples.first_stage) for name in lab}
    return {f"modes.{name}.speedup": Quantity.of(ratio, "ratio") for name, ratio in ratios.items()}


@ANALYSIS.table("compilation_iterations")
def iteration_table(record: Record) -> pd.DataFrame:
    """Return one row per mode, arm and number of iterations: the seconds of the last of these, if
    it was run, and of all of them, as geometric means over processes.
    """
    part, rows = part_of(record), list[dict[str, Any]]()

    def mean(seconds: pd.Series) -> float:
        return part.samples.location(seconds, "s").value

    for mode, arm in product(part.modes, ARMS):
        runs = iterations(part, arm, mode)
        for count in range(1, record["spec"]["counts"][-1] + 1):
            row = {"device": record["device"], "mode": mode, "arm": arm, "iteration": count}
            if count <= len(runs.iloc[0]):
                row["seconds"] = mean(runs.map(itemgetter(count - 1)))
            rows.append(row | {"accumulated": mean(runs.apply(total, count=count))})
    return pd.DataFrame(rows)


@ANALYSIS.old_table_of_values("compilation_counts")
def count_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per mode and n: means over the first n iterations, and their ratio."""
    part, rows = part_of(record), []
    for mode, count in product(part.modes, record["spec"]["counts"]):
        name = f"{part.prefix}.{slug(mode)}.n{count}"
        calls_run = len(iterations(part, EAGER, mode).iloc[0])
        row: dict[str, Any] = {"device": record["device"], "mode": mode, "n": count}
        row |= {arm: values[f"{name}.{arm}"].value for arm in ARMS}
        row |= columns(speedup=values[f"{name}.speedup"])
        rows.append(row | {"from": "run" if count <= calls_run else "projected"})
    return pd.DataFrame(rows)


ANALYSIS.table("compilation_first_call")(lambda record: first_call_table([part_of(record)]))
ANALYSIS.old_table_of_values("compilation_steady")(
    lambda record, values: steady_table([part_of(record)], values)
)
