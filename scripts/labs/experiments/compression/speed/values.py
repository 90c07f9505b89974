"""Values and tables of compressed models' speed: training steps, and inference when pruned."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, gained
from labs.analysis.values import Tree, Values
from labs.experiments.compression.points import share
from labs.experiments.compression.speed import names
from labs.experiments.compression.speed.names import DENSE, FLOAT32, STEPS, WAYS
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("compression_speed")


def step(hidden: int) -> str:
    """Return a hidden size as part of a name: "step128"."""
    return f"step{hidden}"


@ANALYSIS.values
def values(record: Record) -> Tree:
    spec, samples = record["spec"], Samples(record, part=names.INFERENCE)
    return {
        **{step(hidden): _of_steps(record, hidden) for hidden in spec["hidden_sizes"]},
        "dense": samples.time(DENSE),
        "noise_floor": counted(samples.floor(DENSE), "share"),
        **{
            way: {
                share(sparsity): _of_pruned(record, names.pruned(way, sparsity))
                for sparsity in spec["sparsities"]
            }
            for way in WAYS
        },
    }


def _of_steps(record: Record, hidden: int) -> Tree:
    samples = Samples(record, part=names.STEP, hidden=hidden)
    return {
        "noise_floor": counted(samples.floor(FLOAT32), "share"),
        **{
            arm: {"": samples.time(arm), "slowdown": samples.speedup(arm, FLOAT32)} for arm in STEPS
        },
    }


def _of_pruned(record: Record, arm: str) -> Tree:
    samples = Samples(record, part=names.INFERENCE)
    return {
        "": samples.time(arm),
        "speedup": samples.speedup(DENSE, arm),
        "removed": counted(fact(record, "removed", arm)[0], "share"),
    }


@ANALYSIS.table_of_values("compression_speed_steps")
def step_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per hidden size and arm: time of a training step, slowdown over float32."""
    return pd.DataFrame(
        {"device": record["device"], "hidden": hidden, "arm": arm}
        | columns(seconds=values[step(hidden), arm])
        | (columns(slowdown=values[step(hidden), arm, "slowdown"]) if arm != FLOAT32 else {})
        for hidden in record["spec"]["hidden_sizes"]
        for arm in STEPS
    )


@ANALYSIS.table_of_values("compression_speed_inference")
def inference_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per way and sparsity: share of weights removed, time per batch, speed-up."""
    floor = values["noise_floor"].value
    dense = {"device": record["device"], "way": DENSE, "sparsity": 0.0, "removed": 0.0}
    table = [dense | columns(seconds=values["dense"])]
    for sparsity in record["spec"]["sparsities"]:
        for way in WAYS:
            at = way, share(sparsity)
            row = {"device": record["device"], "way": way, "sparsity": sparsity}
            row["removed"] = values[*at, "removed"].value
            row |= columns(seconds=values[at]) | gained(values[*at, "speedup"], floor)
            table.append(row)
    return pd.DataFrame(table)
