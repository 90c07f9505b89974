"""Values and tables of the lab's loop: ResNet-18 on the lab's batch, from the first call on."""

from itertools import product
from operator import itemgetter
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, columns, paired
from labs.analysis.statistics import noise_floor, quotient
from labs.analysis.values import Tree, Values
from labs.experiments.compilation.names import COMPILED, CORRECTED, EAGER, FIRST_CALL, LAB, RESNET18
from labs.experiments.compilation.part import Part, add_common, by_model
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("compilation", models=(RESNET18,))
ARMS = (EAGER, COMPILED)


def parts(record: Record) -> list[Part]:
    return [Part(record, RESNET18)]


add_common(ANALYSIS, "compilation", parts)
ANALYSIS.values(lambda record: by_model(parts(record), _values))
ANALYSIS.values(lambda record: by_model(parts(record), _means))


def _values(part: Part) -> Tree:
    spec = part.record["spec"]
    sizes = {"batch": spec["batch_size"], "pixels": spec["image_size"], "calls": spec["calls"]}
    sizes |= {"few": spec["counts"][0], "many": spec["counts"][-1], "runs": spec["processes"]}
    if spec["batch_size"] < spec["asked_batch_size"]:
        sizes["asked"] = spec["asked_batch_size"]
    # The noise floor is how far eager calls may differ from those between them.
    calls = part.samples.steady(EAGER, mode=CORRECTED)
    ratios = paired(calls.map(lambda run: run[0::2]), calls.map(lambda run: run[1::2]))
    return {
        **all_counted("count", sizes),
        "modes": _gains_of_modes(part),
        "noise_floor": counted(noise_floor(ratios, part.samples.first_stage), "share"),
    }


def _means(part: Part) -> Tree:
    """Return the means over the first n iterations, including the first call.

    Of more iterations than were run, they are what the first ones and the median of the later ones
    come to.
    """
    counts = part.record["spec"]["counts"]
    by_name = {f"n{count}": count for count in counts} | {"few": counts[0], "many": counts[-1]}
    found: dict[str, dict[str, Tree]] = {}
    for mode in part.modes():
        runs = {arm: iterations(part, arm, mode) for arm in ARMS}
        found[mode] = {
            name: part.samples.compared(
                **{arm: runs[arm].apply(total, count=n) / n for arm in ARMS}
            )
            for name, n in by_name.items()
        }
    return found


def iterations(part: Part, arm: str, mode: str) -> pd.Series:
    """Return each process's calls of an arm in seconds, the first included."""
    first = part.samples.series(FIRST_CALL, arm, mode=mode)
    return first + part.samples.steady(arm, mode=mode)


def total(run: list[float], count: int) -> float:
    """Return the seconds of the first ``count`` calls; of more than were run, as projected."""
    return sum(run[:count]) + max(0, count - len(run)) * float(np.median(run[1:]))


def _gains_of_modes(part: Part) -> Tree:
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
    return {name: {"speedup": Quantity.of(ratio, "ratio")} for name, ratio in ratios.items()}


@ANALYSIS.table("compilation_iterations")
def iteration_table(record: Record) -> pd.DataFrame:
    """Return one row per mode, arm and number of iterations: the seconds of the last of these, if
    it was run, and of all of them, as geometric means over processes.
    """
    (part,), rows = parts(record), list[dict[str, Any]]()

    def mean(seconds: pd.Series) -> float:
        return part.samples.location(seconds, "s").value

    for mode, arm in product(part.modes(), ARMS):
        runs = iterations(part, arm, mode)
        for count in range(1, record["spec"]["counts"][-1] + 1):
            row = {"device": record["device"], "mode": mode, "arm": arm, "iteration": count}
            if count <= len(runs.iloc[0]):
                row["seconds"] = mean(runs.map(itemgetter(count - 1)))
            rows.append(row | {"accumulated": mean(runs.apply(total, count=count))})
    return pd.DataFrame(rows)


@ANALYSIS.table_of_values("compilation_counts")
def count_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per mode and n: means over the first n iterations, and their ratio."""
    (part,), device, rows = parts(record), record["device"], []
    for mode, count in product(part.modes(), record["spec"]["counts"]):
        means = values.below(RESNET18, device, mode, f"n{count}")
        calls_run = len(iterations(part, EAGER, mode).iloc[0])
        row: dict[str, Any] = {"device": device, "mode": mode, "n": count}
        row |= {arm: means[arm].value for arm in ARMS} | columns(speedup=means["speedup"])
        rows.append(row | {"from": "run" if count <= calls_run else "projected"})
    return pd.DataFrame(rows)
