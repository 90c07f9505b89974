"""Values and tables of linear layers: time, bytes, operations and error of each number format."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import (
    Samples,
    Value,
    columns,
    exactly,
    fact,
    fact_by,
    gained,
    rows,
)
from labs.analysis.statistics import within_run
from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, READING, WEIGHTS
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_linear")
prefix = ANALYSIS.prefix
ANALYSIS.table("mxint8_linear_clocks")(clock_table)

ARMS = {
    FLOAT32: "float32",
    BFLOAT16: "bfloat16",
    WEIGHTS: "weights",
    BOTH: "both",
}
"""The arms, the baseline first, and what each is called in the names of values."""

BASELINE = FLOAT32
INTEGER = ("int8 multiply", "int32 add")


def batches(record: Record) -> dict[str, int]:
    """Return the smallest batch size as "few" and the largest as "many"."""
    asked = record["spec"]["batches"]
    return {"few": min(asked), "many": max(asked)}


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    samples, start = Samples(record), prefix(record)
    inputs, outputs = record["spec"]["shape"]
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")
    bits = 8 + 8 / record["spec"]["group_size"]
    found = {
        "inputs": exactly(inputs, "count"),
        "outputs": exactly(outputs, "count"),
        "group_size": exactly(record["spec"]["group_size"], "count"),
        "bits": exactly(bits, "bits"),
        "copy.rate": samples.location(copy_rates, "bytes/s"),
    }
    for word, batch in batches(record).items():
        found[word] = exactly(batch, "count")
        found[f"{word}.noise_floor"] = exactly(samples.floor(BASELINE, batch=batch), "share")
        for arm, short in ARMS.items():
            for name, value in _arm_values(record, samples, arm, batch, copy_rates).items():
                found[f"{word}.{short}.{name}"] = value
        for other in (BFLOAT16, WEIGHTS):
            gain = samples.speedup(other, BOTH, batch=batch)
            found[f"{word}.both.over.{ARMS[other]}"] = gain
        if record["device"] == "cpu":
            found |= _reading_values(record, samples, word, batch)
    return {f"{start}.{name}": value for name, value in found.items()}


def _arm_values(
    record: Record, samples: Samples, arm: str, batch: int, copy_rates: pd.Series
) -> dict[str, Value]:
    """Return the values of one arm at one batch."""
    seconds = samples.medians(arm, batch=batch)
    moved = counted(record, "bytes moved", arm, batch)
    made = counted(record, "operations", arm, batch)
    size, count = sum(moved.values()), sum(made.values())
    rates = size / seconds
    arithmetic = count - made.get("conversion", 0)
    integer = sum(made.get(kind, 0) for kind in INTEGER)
    errors = fact(record, "error", arm, batch=batch)
    found = {
        "steady": samples.time(arm, batch=batch),
        "bytes": exactly(size, "bytes"),
        "rate": samples.location(rates, "bytes/s"),
        "share_of_copy": samples.of_ratios(rates / copy_rates, "share"),
        "operations": exactly(count, "count"),
        "operation_rate": samples.location(count / seconds, "op/s"),
        "integer_share": exactly(integer / arithmetic, "share"),
        "error": Value(within_run(errors, samples.first_stage), "share"),
    }
    if arm != BASELINE:
        found["speedup"] = samples.speedup(BASELINE, arm, batch=batch)
        baseline = sum(counted(record, "bytes moved", BASELINE, batch).values())
        found["fewer_bytes"] = exactly(baseline / size, "ratio")
    return found


def _reading_values(record: Record, samples: Samples, word: str, batch: int) -> dict[str, Value]:
    """Return the rate at which the packed weight is read, and what share of it layers reach."""
    moved = counted(record, "bytes moved", WEIGHTS, batch)
    size = moved["weights"] + moved["scales"]
    rates = size / samples.medians(READING, batch=batch)
    found = {f"{word}.reading.rate": samples.location(rates, "bytes/s")}
    for arm in (WEIGHTS, BOTH):
        found[f"{word}.{ARMS[arm]}.share_of_reading"] = samples.share(READING, arm, batch=batch)
    return found


def counted(record: Record, name: str, arm: str, batch: int) -> dict[str, float]:
    """Return an arm's counts at a batch size, by kind; zeros are left out."""
    counts = fact_by(record, "what", name, arm, batch=batch)
    return {kind: count for kind, count in counts.items() if count}


@ANALYSIS.table("mxint8_linear_time")
def time_table(record: Record) -> pd.DataFrame:
    """Return one row per batch and arm: time, gain, bytes, rates, operations, error."""
    samples, found = Samples(record), values(record)
    table = []
    for word, batch in batches(record).items():
        floor = found[f"{prefix(record)}.{word}.noise_floor"].estimate.value
        for arm, short in ARMS.items():
            name = f"{prefix(record)}.{word}.{short}"
            row = {"device": record["device"], "batch": batch, "arm": arm}
            row |= columns(seconds=found[f"{name}.steady"])
            if arm != BASELINE:
                row |= gained(found[f"{name}.speedup"], floor)
            others = ("rate", "share_of_copy", "operation_rate", "error")
            row |= columns(**{other: found[f"{name}.{other}"] for other in others})
            table.append(row | {"flags": samples.flags(arm, batch=batch)})
    return pd.DataFrame(table)


@ANALYSIS.table("mxint8_linear_counts")
def count_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of bytes moved or of operations: its count."""
    frame = rows(record, "facts")
    frame = frame[(frame["process"] == 0) & frame["what"].notna()]
    frame = frame.assign(device=record["device"], value=frame["value"].astype(float))
    return frame[["device", "batch", "arm", "name", "what", "value"]].reset_index(drop=True)
