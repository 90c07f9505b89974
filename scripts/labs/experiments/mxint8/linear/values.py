"""Values and tables of linear layers: time, bytes, operations, energy, error of each format."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, all_counted, columns, fact, fact_by, gained, prefixed, rows
from labs.analysis.statistics import within_run
from labs.analysis.values import Values
from labs.experiments.mxint8.linear import energy
from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, READING, WEIGHTS
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_linear", per_device=True)
prefix = ANALYSIS.prefix
ANALYSIS.table("mxint8_linear_clocks")(clock_table)

ARMS = {FLOAT32: "float32", BFLOAT16: "bfloat16", WEIGHTS: "weights", BOTH: "both"}
"""The arms, the baseline first, and what each is called in the names of values."""

BASELINE = FLOAT32


def batches(record: Record) -> dict[str, int]:
    """Return the smallest batch size as "few" and the largest as "many"."""
    sizes = record["spec"]["batches"]
    return {"few": min(sizes), "many": max(sizes)}


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    samples, group_size = Samples(record), record["spec"]["group_size"]
    inputs, outputs = record["spec"]["shape"]
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")
    result = {
        **all_counted("count", {"inputs": inputs, "outputs": outputs, "group_size": group_size}),
        "bits": counted(8 + 8 / group_size, "bits"),
        "copy.rate": samples.location(copy_rates, "bytes/s"),
        **prefixed("published", energy.published_ratios()),
    }
    for word, batch in batches(record).items():
        result[word] = counted(batch, "count")
        result |= prefixed(word, _batch_values(record, batch, copy_rates))
    return prefixed(prefix(record), result)


def _batch_values(record: Record, batch: int, copy_rates: pd.Series) -> dict[str, Quantity]:
    """Return the values at one batch size: of every arm, and of reading the packed weight."""
    samples = Samples(record, batch=batch)
    result = {"noise_floor": counted(samples.floor(BASELINE), "share")}
    for arm, short in ARMS.items():
        result |= prefixed(short, _arm_values(record, samples, arm, batch, copy_rates))
    for other in (BFLOAT16, WEIGHTS):
        result[f"both.over.{ARMS[other]}"] = samples.speedup(other, BOTH)
    if record["device"] == "cpu":
        moved = counts(record, "bytes moved", WEIGHTS, batch)
        rates = (moved["weights"] + moved["scales"]) / samples.medians(READING)
        result["reading.rate"] = samples.location(rates, "bytes/s")
        for arm in (WEIGHTS, BOTH):
            result[f"{ARMS[arm]}.share_of_reading"] = samples.share(READING, arm)
    return result


def _arm_values(
    record: Record, samples: Samples, arm: str, batch: int, copy_rates: pd.Series
) -> dict[str, Quantity]:
    seconds = samples.medians(arm)
    operations = counts(record, "operations", arm, batch)
    size, count = _bytes(record, arm, batch), sum(operations.values())
    arithmetic = count - operations.get("conversion", 0)
    integer = operations.get("int8 multiply", 0) + operations.get("int32 add", 0)
    errors = fact(record, "error", arm, batch=batch)
    result = {
        "steady": samples.time(arm),
        "bytes": counted(size, "bytes"),
        "rate": samples.location(size / seconds, "bytes/s"),
        "share_of_copy": samples.of_ratios(size / seconds / copy_rates, "share"),
        "operations": counted(count, "count"),
        "operation_rate": samples.location(count / seconds, "op/s"),
        "integer_share": counted(integer / arithmetic, "share"),
        "error": Quantity.of(within_run(errors, samples.first_stage), "share"),
        **prefixed("energy", energy.energies(operations, size)),
    }
    if arm != BASELINE:
        result["speedup"] = samples.speedup(BASELINE, arm)
        result["fewer_bytes"] = counted(_bytes(record, BASELINE, batch) / size, "ratio")
    return result


def _bytes(record: Record, arm: str, batch: int) -> float:
    return sum(counts(record, "bytes moved", arm, batch).values())


def counts(record: Record, name: str, arm: str, batch: int) -> dict[str, float]:
    """Return an arm's counts at a batch size, by kind; zeros are left out."""
    by_kind = fact_by(record, "what", name, arm, batch=batch)
    return {kind: count for kind, count in by_kind.items() if count}


@ANALYSIS.old_table_of_values("mxint8_linear_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per batch and arm: time, gain, bytes, rates, operations, error."""
    table = []
    for word, batch in batches(record).items():
        start, samples = f"{prefix(record)}.{word}", Samples(record, batch=batch)
        floor = values[f"{start}.noise_floor"].value
        for arm, short in ARMS.items():
            row = {"device": record["device"], "batch": batch, "arm": arm}
            row |= columns(seconds=values[f"{start}.{short}.steady"])
            if arm != BASELINE:
                row |= gained(values[f"{start}.{short}.speedup"], floor)
            others = ("rate", "share_of_copy", "operation_rate", "error")
            row |= columns(**{name: values[f"{start}.{short}.{name}"] for name in others})
            table.append(row | {"flags": samples.flags(arm)})
    return pd.DataFrame(table)


@ANALYSIS.table("mxint8_linear_energy")
def energy_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of operation: its estimated joules."""
    return pd.DataFrame(
        {"device": record["device"], "batch": batch, "arm": arm, "what": kind, "joules": joules}
        for batch in batches(record).values()
        for arm in ARMS
        for kind, joules in energy.arithmetic(counts(record, "operations", arm, batch)).items()
    )


@ANALYSIS.table("mxint8_linear_counts")
def count_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of bytes moved or of operations: its count."""
    frame = rows(record, "facts")
    frame = frame[(frame["process"] == 0) & frame["what"].notna()]
    frame = frame.assign(device=record["device"], value=frame["value"].astype(float))
    return frame[["device", "batch", "arm", "name", "what", "value"]].reset_index(drop=True)
