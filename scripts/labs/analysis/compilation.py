"""What a torch.compile record says: steady times, first calls, break-even, and the modes."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.frame import Samples, Value, exactly, fact, slug, with_interval
from labs.measure.statistics import flags, location, ratio, steady_from
from labs.records import Record

LAB, CORRECTED = "train+grad", "eval+no_grad"
MODES = (LAB, "train+no_grad", "eval+grad", CORRECTED)
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


def prefix(record: Record) -> str:
    """Return what the names of this record's values begin with."""
    return f"compilation.{record['subject']}.{record['device']}"


def cold(record: Record, mode: str) -> str:
    """Return the state of the cache that a mode's own first call found: empty, in either case."""
    return "cold" if mode == record["spec"]["modes"][0] else "cold, compiler started"


def values(record: Record) -> dict[str, Value]:
    """Return every number about this record that the report may quote, by name."""
    samples, start = Samples(record), prefix(record)
    found = {f"{start}.processes": exactly(record["spec"]["processes"], "count")}
    for mode in MODES:
        found[f"{start}.{slug(mode)}.eager.steady"] = samples.time("eager", mode=mode)
    found |= _ablation_values(record, samples)
    for mode in record["spec"]["modes"]:
        name = f"{start}.{slug(mode)}"
        found[f"{name}.compiled.steady"] = samples.time("compiled", mode=mode)
        found[f"{name}.speedup"] = samples.speedup("eager", "compiled", mode=mode)
        found |= _first_call_values(record, samples, mode)
        found |= _count_values(record, samples, mode)
    first = record["spec"]["modes"][0]
    found[f"{start}.noise_floor"] = exactly(samples.floor("eager", mode=first), "share")
    found |= _warm_cache_values(record, samples)
    if {LAB, CORRECTED} <= set(record["spec"]["modes"]):
        found |= _mode_values(record, samples)
    return found


def _ablation_values(record: Record, samples: Samples) -> dict[str, Value]:
    """Return what eval() and then no_grad() gain, one after the other, without a compiler."""
    name = f"{prefix(record)}.modes"
    lab, evaluating, corrected = (
        samples.medians("eager", mode=mode) for mode in (LAB, "eval+grad", CORRECTED)
    )
    return {
        f"{name}.eager.eval.speedup": Value(ratio(lab, evaluating), "ratio"),
        f"{name}.eager.no_grad.speedup": Value(ratio(evaluating, corrected), "ratio"),
        f"{name}.eager.speedup": Value(ratio(lab, corrected), "ratio"),
    }


def _mode_values(record: Record, samples: Samples) -> dict[str, Value]:
    """Return what the corrected mode gains once compiled, and how the gains of compiling differ."""
    name = f"{prefix(record)}.modes"
    found, gains = {}, {}
    lab, corrected = (samples.medians("compiled", mode=mode) for mode in (LAB, CORRECTED))
    found[f"{name}.compiled.speedup"] = Value(ratio(lab, corrected), "ratio")
    for mode in (LAB, CORRECTED):
        arms = (samples.medians(arm, mode=mode) for arm in ("eager", "compiled"))
        gains[mode] = [eager / compiled for eager, compiled in zip(*arms, strict=True)]
    found[f"{name}.gain.speedup"] = Value(ratio(gains[CORRECTED], gains[LAB]), "ratio")
    return found


def _first_call_values(record: Record, samples: Samples, mode: str) -> dict[str, Value]:
    """Return the first compiled call of a mode, its stages, and when it has paid for itself."""
    name = f"{prefix(record)}.{slug(mode)}"
    series = samples.series("first calls", "compiled", mode=mode, cache=cold(record, mode))
    first = [seconds[0] for seconds in series]
    found = {f"{name}.first_call": Value(location(first), "s")}
    for stage in STAGES:
        spent = fact(record, stage, "compiled", mode=mode, cache=cold(record, mode))
        found[f"{name}.{stage}"] = Value(location(spent), "s")
        shares = [part / whole for part, whole in zip(spent, first, strict=True)]
        found[f"{name}.{stage}.share"] = Value(location(shares), "share")
    for fact_name, short in COUNTS.items():
        counted = fact(record, fact_name, "compiled", mode=mode, cache=cold(record, mode))
        found[f"{name}.{short}"] = exactly(max(counted), "count")
    found |= _break_even(record, samples, mode, name)
    return found


def _break_even(record: Record, samples: Samples, mode: str, name: str) -> dict[str, Value]:
    """Return after how many iterations compiling has paid for itself, if every process gained.

    The extra cost of the first call, divided by what each later call gains: exact when the
    iterations are steady, a projection when it lies beyond the iterations that were run.
    """
    eager = samples.series("first calls", "eager", mode=mode)
    compiled = samples.series("first calls", "compiled", mode=mode, cache=cold(record, mode))
    needed = []
    for slow, fast in zip(eager, compiled, strict=True):
        per_call = float(np.median(slow)) - float(np.median(fast[1:]))
        if per_call <= 0:
            return {}
        needed.append(max(1.0, (fast[0] - float(np.median(fast[1:]))) / per_call))
    return {f"{name}.break_even": Value(location(needed), "count")}


def _count_values(record: Record, samples: Samples, mode: str) -> dict[str, Value]:
    """Return the means over the first n iterations, the first call among them."""
    name = f"{prefix(record)}.{slug(mode)}"
    found = {}
    eager = samples.series("first calls", "eager", mode=mode)
    compiled = samples.series("first calls", "compiled", mode=mode, cache=cold(record, mode))
    for count in record["spec"]["counts"]:
        means = [[float(np.mean(run[:count])) for run in arm] for arm in (eager, compiled)]
        found[f"{name}.n{count}.eager"] = Value(location(means[0]), "s")
        found[f"{name}.n{count}.compiled"] = Value(location(means[1]), "s")
        found[f"{name}.n{count}.speedup"] = Value(ratio(*means), "ratio")
    for word, count in (
        ("few", record["spec"]["counts"][0]),
        ("many", record["spec"]["counts"][-1]),
    ):
        found[f"{name}.{word}"] = exactly(count, "count")
        for arm in ("eager", "compiled", "speedup"):
            found[f"{name}.{word}.{arm}"] = found[f"{name}.n{count}.{arm}"]
    return found


def _warm_cache_values(record: Record, samples: Samples) -> dict[str, Value]:
    """Return the first call in a process that finds a filled cache, and the gain over cold."""
    mode = record["spec"]["modes"][0]
    runs = [
        samples.series("first calls", "compiled", mode=mode, cache=cache)
        for cache in ("cold", "warm")
    ]
    without, filled = ([seconds[0] for seconds in run] for run in runs)
    return {
        f"{prefix(record)}.cold_cache": Value(location(without), "s"),
        f"{prefix(record)}.warm_cache": Value(location(filled), "s"),
        f"{prefix(record)}.warm_cache.speedup": Value(ratio(without, filled), "ratio"),
    }


def steady_table(record: Record) -> pd.DataFrame:
    """Return one row a mode and arm: steady time with its interval, and flags."""
    samples = Samples(record)
    table = []
    for mode, arm in product(MODES, ("eager", "compiled")):
        if arm == "eager" or mode in record["spec"]["modes"]:
            time = with_interval("seconds", samples.time(arm, mode=mode).estimate)
            pooled = [x for run in samples.series("steady", arm, mode=mode) for x in run]
            table.append(
                {**_head(record, mode), "arm": arm, **time, "flags": ", ".join(flags(pooled))}
            )
    return pd.DataFrame(table)


def iteration_table(record: Record) -> pd.DataFrame:
    """Return one row an iteration of the cold series: geometric mean over processes, in seconds.

    ``accumulated`` is the time from the first iteration to this one; ``warm_up`` marks the
    iterations before the steady state.
    """
    samples = Samples(record)
    tables = []
    for mode in record["spec"]["modes"]:
        for arm, case in (("eager", {}), ("compiled", {"cache": cold(record, mode)})):
            runs = np.array(samples.series("first calls", arm, mode=mode, **case))
            typical = np.exp(np.log(runs).mean(axis=0))
            accumulated = np.exp(np.log(runs.cumsum(axis=1)).mean(axis=0))
            tables.append(
                pd.DataFrame(
                    {
                        **_head(record, mode),
                        "arm": arm,
                        "iteration": np.arange(1, len(typical) + 1),
                        "seconds": typical,
                        "accumulated": accumulated,
                        "warm_up": np.arange(len(typical)) < steady_from(typical.tolist()),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


def first_call_table(record: Record) -> pd.DataFrame:
    """Return one row a mode and state of the cache: the first call, its stages, what came out."""
    samples = Samples(record)
    table = []
    states = sorted({(row["case"]["mode"], _cache(row)) for row in _first_calls(record)})
    for mode, cache in states:
        series = samples.series("first calls", "compiled", mode=mode, cache=cache)
        first = location([seconds[0] for seconds in series])
        row = {**_head(record, mode), "cache": cache, **with_interval("seconds", first)}
        for stage in STAGES:
            row[stage] = float(np.mean(fact(record, stage, "compiled", mode=mode, cache=cache)))
        row["rest"] = max(0.0, first.value - sum(row[stage] for stage in STAGES))
        for fact_name, short in COUNTS.items():
            row[short] = max(fact(record, fact_name, "compiled", mode=mode, cache=cache))
        table.append(row)
    return pd.DataFrame(table)


def count_table(record: Record) -> pd.DataFrame:
    """Return one row a mode and n: means over the first n iterations, and their ratio."""
    found = values(record)
    table = []
    for mode in record["spec"]["modes"]:
        for count in record["spec"]["counts"]:
            name = f"{prefix(record)}.{slug(mode)}.n{count}"
            row = {**_head(record, mode), "n": count}
            row |= {arm: found[f"{name}.{arm}"].estimate.value for arm in ("eager", "compiled")}
            table.append(row | with_interval("speedup", found[f"{name}.speedup"].estimate))
    return pd.DataFrame(table)


def _head(record: Record, mode: str) -> dict[str, Any]:
    return {"model": MODELS[record["subject"]], "device": record["device"], "mode": mode}


def _first_calls(record: Record) -> list[dict[str, Any]]:
    return [
        row
        for row in record["samples"]
        if row["quantity"] == "first calls" and row["arm"] == "compiled"
    ]


def _cache(row: dict[str, Any]) -> str:
    return str(row["case"]["cache"])
