"""Tables of torch.compile: what the report prints and draws."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.compilation.values import COUNTS, MODELS, STAGES, Part, parts, values
from labs.analysis.frame import slug, with_interval
from labs.analysis.statistics import location, steady_from
from labs.records.names.compilation import COMPILED, EAGER, MODES
from labs.records.record import Record

ANALYSIS = Analysis("compilation")
ANALYSIS.table("compilation_clocks")(clock_table)


@ANALYSIS.table("compilation_steady")
def steady_table(record: Record) -> pd.DataFrame:
    """Return one row per mode and arm: steady time with its interval, and flags."""
    table = []
    for part, mode, arm in product(parts(record), MODES, (EAGER, COMPILED)):
        if arm == EAGER or mode in part.modes:
            time = with_interval("seconds", part.samples.time(arm, mode=mode).estimate)
            warnings = part.samples.flags(arm, mode=mode)
            table.append({**_head(part, mode), "arm": arm, **time, "flags": warnings})
    return pd.DataFrame(table)


@ANALYSIS.table("compilation_iterations")
def iteration_table(record: Record) -> pd.DataFrame:
    """Return one row per iteration: seconds, as geometric mean over processes.

    Compiled iterations are of the processes that compiled, eager ones of every process.

    ``accumulated`` is the time from the first iteration to this one; ``warm_up`` marks the
    iterations before the steady state.
    """
    tables = []
    for part, mode in _modes(record):
        arms = {
            EAGER: part.samples.series("first calls", EAGER, mode=mode),
            COMPILED: part.first_calls(mode),
        }
        for arm, series in arms.items():
            runs = np.array(series)
            typical = np.exp(np.log(runs).mean(axis=0))
            accumulated = np.exp(np.log(runs.cumsum(axis=1)).mean(axis=0))
            tables.append(
                pd.DataFrame(
                    {
                        **_head(part, mode),
                        "arm": arm,
                        "iteration": np.arange(1, len(typical) + 1),
                        "seconds": typical,
                        "accumulated": accumulated,
                        "warm_up": np.arange(len(typical)) < steady_from(typical.tolist()),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


@ANALYSIS.table("compilation_first_call")
def first_call_table(record: Record) -> pd.DataFrame:
    """Return one row per mode and cache state: the first call, its stages, and compiler counts."""
    states = [(part, mode, part.cold(mode)) for part, mode in _modes(record)]
    states += [(part, part.modes[0], part.warm()) for part in parts(record)]
    table = []
    for part, mode, cache in states:
        series = part.samples.series("first calls", COMPILED, mode=mode, cache=cache)
        first = location([seconds[0] for seconds in series])
        row = {**_head(part, mode), "cache": cache, **with_interval("seconds", first)}
        for stage in STAGES:
            row[stage] = float(np.mean(part.facts(stage, mode, cache)))
        row["rest"] = max(0.0, first.value - sum(row[stage] for stage in STAGES))
        for fact_name, short in COUNTS.items():
            row[short] = max(part.facts(fact_name, mode, cache))
        table.append(row)
    return pd.DataFrame(table).sort_values("model", kind="stable", key=_place)


@ANALYSIS.table("compilation_counts")
def count_table(record: Record) -> pd.DataFrame:
    """Return one row per mode and n: means over the first n iterations, and their ratio."""
    found = values(record)
    table = []
    for part, mode in _modes(record):
        for count in record["spec"]["counts"]:
            name = f"{part.prefix}.{slug(mode)}.n{count}"
            row = {**_head(part, mode), "n": count}
            row |= {arm: found[f"{name}.{arm}"].estimate.value for arm in (EAGER, COMPILED)}
            table.append(row | with_interval("speedup", found[f"{name}.speedup"].estimate))
    return pd.DataFrame(table)


def _head(part: Part, mode: str) -> dict[str, Any]:
    return {"model": MODELS[part.model], "device": part.record["device"], "mode": mode}


def _modes(record: Record) -> list[tuple[Part, str]]:
    """Return every pair of a model and a mode that it was compiled in."""
    return [(part, mode) for part in parts(record) for mode in part.modes]


def _place(models: pd.Series) -> pd.Series:
    """Return each model's position in the report's order."""
    return models.map(list(MODELS.values()).index)
