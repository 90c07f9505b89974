"""Values and tables of the lab's loop: ResNet-18 on the lab's batch, from the first call on."""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, columns, exactly, paired, slug
from labs.analysis.statistics import noise_floor, quotient
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, FIRST_CALL, LAB, RESNET18
from labs.experiments.compilation.part import Part, part_values
from labs.experiments.compilation.part_tables import first_call_table, steady_table
from labs.records.record import Record

ANALYSIS = Analysis("compilation")


def part_of(record: Record) -> Part:
    """Return the record's only part."""
    return Part(record, RESNET18)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    part = part_of(record)
    found = part_values(part)
    found |= _sizes(part)
    for mode in part.modes:
        found |= _count_values(part, mode)
    found |= _mode_values(part)
    found[f"{part.prefix}.noise_floor"] = exactly(_floor(part), "share")
    return found


def _sizes(part: Part) -> dict[str, Value]:
    """Return the sizes of the run; the batch that was asked for, only where it did not fit."""
    spec = part.record["spec"]
    found = {"batch": spec["batch_size"], "pixels": spec["image_size"], "calls": spec["calls"]}
    found["few"], found["many"] = spec["counts"][0], spec["counts"][-1]
    found["runs"] = spec["processes"]
    if spec["batch_size"] < spec["asked_batch_size"]:
        found["asked"] = spec["asked_batch_size"]
    return {f"{part.prefix}.{name}": exactly(size, "count") for name, size in found.items()}


def _floor(part: Part) -> float:
    """Return the noise floor: how far eager calls may differ from those between them."""
    runs = part.samples.steady(EAGER, mode=CORRECTED)
    return noise_floor(
        paired(runs.map(lambda run: run[0::2]), runs.map(lambda run: run[1::2])),
        part.samples.first_stage,
    )


def _count_values(part: Part, mode: str) -> dict[str, Value]:
    """Return the means over the first n iterations, including the first call.

    Of more iterations than were run, they are what the first ones and the median of the later ones
    come to.
    """
    counts = part.record["spec"]["counts"]
    found = {}
    for word, count in {
        **{f"n{n}": n for n in counts},
        "few": counts[0],
        "many": counts[-1],
    }.items():
        name = f"{part.prefix}.{slug(mode)}.{word}"
        means = {
            arm: iterations(part, arm, mode).apply(total, count=count) / count
            for arm in (EAGER, COMPILED)
        }
        for arm, seconds in means.items():
            found[f"{name}.{arm}"] = part.samples.location(seconds, "s")
        found[f"{name}.speedup"] = part.samples.of_ratios(means[EAGER] / means[COMPILED])
    return found


def iterations(part: Part, arm: str, mode: str) -> pd.Series:
    """Return each process's calls of an arm in seconds, the first included."""
    first = part.samples.series(FIRST_CALL, arm, mode=mode)
    return first + part.samples.steady(arm, mode=mode)


def total(run: list[float], count: int) -> float:
    """Return the seconds of the first ``count`` calls; of more than were run, as projected."""
    return sum(run[:count]) + max(0, count - len(run)) * float(np.median(run[1:]))


def _mode_values(part: Part) -> dict[str, Value]:
    """Return what eval() and no_grad() gain together, eager and compiled, and for compiling.

    The modes ran in processes of their own.
    """
    name = f"{part.prefix}.modes"

    samples = part.samples

    def of_modes(seconds: Callable[[str], pd.Series]) -> Value:
        found = quotient(seconds(LAB), seconds(CORRECTED), samples.first_stage)
        return Value(found, "ratio")

    return {
        f"{name}.eager.speedup": of_modes(lambda mode: samples.medians(EAGER, mode=mode)),
        f"{name}.compiled.speedup": of_modes(lambda mode: samples.medians(COMPILED, mode=mode)),
        # The slower compiled code is beside eager code, the less compiling gains.
        f"{name}.gain.speedup": of_modes(lambda mode: samples.ratios(COMPILED, EAGER, mode=mode)),
    }


@ANALYSIS.table("compilation_iterations")
def iteration_table(record: Record) -> pd.DataFrame:
    """Return one row per mode, arm and number of iterations: the seconds of the last of these, if
    it was run, and of all of them, as geometric means over processes.
    """
    part, rows = part_of(record), list[dict[str, Any]]()

    def located(seconds: pd.Series) -> float:
        return part.samples.location(seconds, "s").estimate.value

    for mode in part.modes:
        for arm in (EAGER, COMPILED):
            runs = iterations(part, arm, mode)
            for count in range(1, record["spec"]["counts"][-1] + 1):
                row = {"device": record["device"], "mode": mode, "arm": arm, "iteration": count}
                if count <= len(runs.iloc[0]):
                    row["seconds"] = located(runs.map(itemgetter(count - 1)))
                row["accumulated"] = located(runs.apply(total, count=count))
                rows.append(row)
    return pd.DataFrame(rows)


@ANALYSIS.table("compilation_counts")
def count_table(record: Record) -> pd.DataFrame:
    """Return one row per mode and n: means over the first n iterations, and their ratio."""
    part, found, rows = part_of(record), values(record), []
    for mode in part.modes:
        run = len(iterations(part, EAGER, mode).iloc[0])
        for count in record["spec"]["counts"]:
            name = f"{part.prefix}.{slug(mode)}.n{count}"
            row: dict[str, Any] = {"device": record["device"], "mode": mode, "n": count}
            row |= {arm: found[f"{name}.{arm}"].estimate.value for arm in (EAGER, COMPILED)}
            row |= columns(speedup=found[f"{name}.speedup"])
            rows.append(row | {"from": "run" if count <= run else "projected"})
    return pd.DataFrame(rows)


ANALYSIS.table("compilation_first_call")(lambda record: first_call_table([part_of(record)]))
ANALYSIS.table("compilation_steady")(lambda record: steady_table([part_of(record)]))
