"""Values and tables of compressed models' speed: training steps, and inference when pruned."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, gained
from labs.analysis.values import Values, slug
from labs.experiments.compression.speed import names
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("compression_speed")
NOISE_FLOOR = "compression_speed.noise_floor"


def step(hidden: int, arm: str) -> str:
    """Return the name of an arm's training step, such as compression_speed.step128.float32."""
    return f"compression_speed.step{hidden}.{slug(arm)}"


def inference(way: str, sparsity: float) -> str:
    """Return the name of a pruned model's batch, such as compression_speed.zeros.s50."""
    return f"compression_speed.{slug(way)}.s{100 * sparsity:.0f}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    samples, quoted = Samples(record, part=names.STEP), {}
    for hidden in record["spec"]["hidden_sizes"]:
        floor = samples.floor(names.FLOAT32, hidden=hidden)
        quoted[step(hidden, "noise_floor")] = counted(floor, "share")
        for arm in names.STEPS:
            name = step(hidden, arm)
            quoted[name] = samples.time(arm, hidden=hidden)
            quoted[f"{name}.slowdown"] = samples.speedup(arm, names.FLOAT32, hidden=hidden)
    samples = Samples(record, part=names.INFERENCE)
    quoted["compression_speed.dense"] = samples.time(names.DENSE)
    quoted[NOISE_FLOOR] = counted(samples.floor(names.DENSE), "share")
    for sparsity in record["spec"]["sparsities"]:
        for way in names.WAYS:
            arm, name = names.pruned(way, sparsity), inference(way, sparsity)
            quoted[name] = samples.time(arm)
            quoted[f"{name}.speedup"] = samples.speedup(names.DENSE, arm)
            quoted[f"{name}.removed"] = counted(fact(record, "removed", arm)[0], "share")
    return quoted


@ANALYSIS.old_table_of_values("compression_speed_steps")
def step_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per hidden size and arm: time of a training step, slowdown over float32."""
    table = []
    for hidden in record["spec"]["hidden_sizes"]:
        for arm in names.STEPS:
            name = step(hidden, arm)
            row = {"device": record["device"], "hidden": hidden, "arm": arm}
            row |= columns(seconds=values[name])
            if arm != names.FLOAT32:
                row |= columns(slowdown=values[f"{name}.slowdown"])
            table.append(row)
    return pd.DataFrame(table)


@ANALYSIS.old_table_of_values("compression_speed_inference")
def inference_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per way and sparsity: share of weights removed, time per batch, speed-up."""
    floor = values[NOISE_FLOOR].value
    dense = {"device": record["device"], "way": names.DENSE, "sparsity": 0.0, "removed": 0.0}
    table = [dense | columns(seconds=values["compression_speed.dense"])]
    for sparsity in record["spec"]["sparsities"]:
        for way in names.WAYS:
            name = inference(way, sparsity)
            row = {"device": record["device"], "way": way, "sparsity": sparsity}
            row["removed"] = values[f"{name}.removed"].value
            row |= columns(seconds=values[name]) | gained(values[f"{name}.speedup"], floor)
            table.append(row)
    return pd.DataFrame(table)
