"""Values and tables of compressed models' speed: training steps, and inference when pruned."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, columns, exactly, fact, gained, slug
from labs.experiments.compression.speed import names
from labs.records.record import Record

ANALYSIS = Analysis("compression_speed")


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    samples, start = Samples(record, part=names.STEP), "compression_speed"
    found = {}
    for hidden in record["spec"]["hidden_sizes"]:
        floor = samples.floor(names.FLOAT32, hidden=hidden)
        found[f"{start}.step{hidden}.noise_floor"] = exactly(floor, "share")
        for arm in (names.FLOAT32, names.FAKE, names.OPERATOR):
            name = f"{start}.step{hidden}.{slug(arm)}"
            found[name] = samples.time(arm, hidden=hidden)
            found[f"{name}.slowdown"] = samples.speedup(arm, names.FLOAT32, hidden=hidden)
    samples = Samples(record, part=names.INFERENCE)
    found[f"{start}.dense"] = samples.time(names.DENSE)
    found[f"{start}.noise_floor"] = exactly(samples.floor(names.DENSE), "share")
    for sparsity in record["spec"]["sparsities"]:
        for way in names.WAYS:
            arm, name = names.pruned(way, sparsity), f"{start}.{slug(way)}.s{100 * sparsity:.0f}"
            found[name] = samples.time(arm)
            found[f"{name}.speedup"] = samples.speedup(names.DENSE, arm)
            found[f"{name}.removed"] = exactly(fact(record, "removed", arm)[0], "share")
    return found


@ANALYSIS.table("compression_speed_steps")
def step_table(record: Record) -> pd.DataFrame:
    """Return one row per hidden size and arm: time of a training step, slowdown over float32."""
    found, table = values(record), []
    for hidden in record["spec"]["hidden_sizes"]:
        for arm in (names.FLOAT32, names.FAKE, names.OPERATOR):
            name = f"compression_speed.step{hidden}.{slug(arm)}"
            row = {"device": record["device"], "hidden": hidden, "arm": arm}
            row |= columns(seconds=found[name])
            if arm != names.FLOAT32:
                row |= columns(slowdown=found[f"{name}.slowdown"])
            table.append(row)
    return pd.DataFrame(table)


@ANALYSIS.table("compression_speed_inference")
def inference_table(record: Record) -> pd.DataFrame:
    """Return one row per way and sparsity: share of weights removed, time per batch, speed-up."""
    found = values(record)
    floor = found["compression_speed.noise_floor"].estimate.value
    first = {"device": record["device"], "way": names.DENSE, "sparsity": 0.0, "removed": 0.0}
    table = [first | columns(seconds=found["compression_speed.dense"])]
    for sparsity in record["spec"]["sparsities"]:
        for way in names.WAYS:
            name = f"compression_speed.{slug(way)}.s{100 * sparsity:.0f}"
            row = {"device": record["device"], "way": way, "sparsity": sparsity}
            row["removed"] = found[f"{name}.removed"].estimate.value
            row |= columns(seconds=found[name]) | gained(found[f"{name}.speedup"], floor)
            table.append(row)
    return pd.DataFrame(table)
