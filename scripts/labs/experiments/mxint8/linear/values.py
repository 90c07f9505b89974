"""Values and tables of linear layers: time, bytes, operations, energy, error of each format."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.clocks import clock_table
from labs.analysis.frame import Samples, all_counted, columns, fact, fact_by, gained, rows
from labs.analysis.statistics import within_run
from labs.analysis.values import Tree, Values
from labs.experiments.mxint8.linear import energy
from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, READING, SHORT, WEIGHTS
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_linear", per_device=True)
ANALYSIS.table("mxint8_linear_clocks")(clock_table)

BASELINE = FLOAT32


def batches(record: Record) -> dict[str, int]:
    """Return the smallest batch size as "few" and the largest as "many"."""
    sizes = record["spec"]["batches"]
    return {"few": min(sizes), "many": max(sizes)}


@ANALYSIS.values
def values(record: Record) -> Tree:
    samples, group_size = Samples(record), record["spec"]["group_size"]
    inputs, outputs = record["spec"]["shape"]
    copy_rates = fact(record, "bytes moved", "copy")[0] / samples.medians("copy")

    def of_batch(batch: int) -> Tree:
        of_arms = Samples(record, batch=batch)
        found: dict[str, Quantity | Tree] = {
            "": counted(batch),
            "noise_floor": counted(of_arms.floor(BASELINE), "share"),
            **{SHORT[arm]: _of_arm(record, of_arms, arm, batch, copy_rates) for arm in SHORT},
        }
        if record["device"] == "cpu":
            moved = counts(record, "bytes moved", WEIGHTS, batch)
            rates = (moved["weights"] + moved["scales"]) / of_arms.medians(READING)
            found["reading"] = {"rate": of_arms.location(rates, "bytes/s")}
        return found

    return {
        **all_counted("count", {"inputs": inputs, "outputs": outputs, "group_size": group_size}),
        "bits": counted(8 + 8 / group_size, "bits"),
        "copy": {"rate": samples.location(copy_rates, "bytes/s")},
        "published": energy.published_ratios(),
        **{word: of_batch(batch) for word, batch in batches(record).items()},
    }


def _of_arm(record: Record, samples: Samples, arm: str, batch: int, copy_rates: pd.Series) -> Tree:
    seconds = samples.medians(arm)
    moved, operations = (counts(record, name, arm, batch) for name in ("bytes moved", "operations"))
    size, count = sum(moved.values()), sum(operations.values())
    arithmetic = count - operations.get("conversion", 0)
    integer = operations.get("int8 multiply", 0) + operations.get("int32 add", 0)
    errors, of_bfloat16 = (fact(record, "error", name, batch=batch) for name in (arm, BFLOAT16))
    found: dict[str, Quantity | Tree] = {
        "steady": samples.time(arm),
        "bytes": counted(size, "bytes"),
        "rate": samples.location(size / seconds, "bytes/s"),
        "share_of_copy": samples.of_ratios(size / seconds / copy_rates, "share"),
        "operation_rate": samples.location(count / seconds, "op/s"),
        "integer_share": counted(integer / arithmetic, "share"),
        "error": Quantity.of(within_run(errors, samples.first_stage), "share"),
        "energy": energy.energies(operations, size),
    }
    if arm != BASELINE:
        whole = sum(counts(record, "bytes moved", BASELINE, batch).values())
        found["speedup"] = samples.speedup(BASELINE, arm)
        found["fewer_bytes"] = counted(whole / size, "ratio")
    if arm == BOTH:
        rivals = (BFLOAT16, WEIGHTS)
        ratios = [error / other for error, other in zip(errors, of_bfloat16, strict=True)]
        over = within_run(ratios, samples.first_stage)
        found["error_over_bfloat16"] = Quantity.of(over, "ratio")
        found["over"] = {SHORT[rival]: samples.speedup(rival, arm) for rival in rivals}
    if record["device"] == "cpu" and arm in (WEIGHTS, BOTH):
        found["share_of_reading"] = samples.share(READING, arm)
    return found


def counts(record: Record, name: str, arm: str, batch: int) -> dict[str, float]:
    """Return an arm's counts at a batch size, by kind; zeros are left out."""
    by_kind = fact_by(record, "what", name, arm, batch=batch)
    return {kind: count for kind, count in by_kind.items() if count}


@ANALYSIS.table_of_values("mxint8_linear_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per batch and arm: time, gain, bytes, rates, operations, error."""
    table = []
    for word, batch in batches(record).items():
        samples, floor = Samples(record, batch=batch), values[word, "noise_floor"].value
        for arm, short in SHORT.items():
            of_arm = values.below(word, short)
            row = {"device": record["device"], "batch": batch, "arm": arm}
            row |= columns(seconds=of_arm["steady"])
            if arm != BASELINE:
                row |= gained(of_arm["speedup"], floor)
            others = ("rate", "share_of_copy", "operation_rate", "error")
            row |= columns(**{name: of_arm[name] for name in others})
            table.append(row | {"flags": samples.flags(arm)})
    return pd.DataFrame(table)


@ANALYSIS.table("mxint8_linear_energy")
def energy_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of operation: its estimated joules."""
    return pd.DataFrame(
        {"device": record["device"], "batch": batch, "arm": arm, "what": kind, "joules": joules}
        for batch in batches(record).values()
        for arm in SHORT
        for kind, joules in energy.arithmetic(counts(record, "operations", arm, batch)).items()
    )


@ANALYSIS.table("mxint8_linear_counts")
def count_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of bytes moved or of operations: its count."""
    frame = rows(record, "facts")
    frame = frame[(frame["process"] == 0) & frame["what"].notna()]
    frame = frame.assign(device=record["device"], value=frame["value"].astype(float))
    return frame[["device", "batch", "arm", "name", "what", "value"]].reset_index(drop=True)
