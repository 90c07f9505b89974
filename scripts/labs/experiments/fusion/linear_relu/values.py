"""Values and tables of linear + ReLU: what fusion gained, and the most it could gain."""

from operator import itemgetter

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, columns, exactly, fact, gained, slug
from labs.experiments.fusion.linear_relu.names import (
    ARMS,
    COMPILED,
    EAGER,
    FROZEN,
    ONE_OPERATOR,
    RELU,
)
from labs.records.record import Record

ANALYSIS = Analysis("fusion", subject="linear_relu")
prefix = ANALYSIS.prefix


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    samples, start = Samples(record), prefix(record)
    found = {}
    for order in ("first", "second"):
        runs = samples.series("first calls", ONE_OPERATOR, order=order)
        found[f"{start}.smallest_compile.{order}"] = samples.location(runs.map(itemgetter(0)), "s")
    for dtype in record["spec"]["linear_dtypes"]:
        name = f"{start}.{dtype}"
        found[f"{name}.noise_floor"] = exactly(samples.floor(EAGER, dtype=dtype), "share")
        for arm in ARMS:
            found[f"{name}.{slug(arm)}.steady"] = samples.time(arm, dtype=dtype)
        for arm in (COMPILED, FROZEN):
            found[f"{name}.{slug(arm)}.speedup"] = samples.speedup(EAGER, arm, dtype=dtype)
            kernels = max(fact(record, "generated kernels", arm, dtype=dtype))
            found[f"{name}.{slug(arm)}.kernels"] = exactly(kernels, "count")
            calls = max(fact(record, "library calls", arm, dtype=dtype))
            found[f"{name}.{slug(arm)}.library_calls"] = exactly(calls, "count")
        found[f"{name}.relu_share"] = samples.share(RELU, EAGER, dtype=dtype)
    return found


@ANALYSIS.table("linear_relu_time")
def time_table(record: Record) -> pd.DataFrame:
    """Return one row per format and arm: time with interval, speed-up over eager, kernels."""
    found = values(record)
    table = []
    for dtype in record["spec"]["linear_dtypes"]:
        floor = found[f"{prefix(record)}.{dtype}.noise_floor"].estimate.value
        for arm in ARMS:
            name = f"{prefix(record)}.{dtype}.{slug(arm)}"
            row = {"device": record["device"], "dtype": dtype, "arm": arm}
            row |= columns(seconds=found[f"{name}.steady"])
            if f"{name}.speedup" in found:
                row |= gained(found[f"{name}.speedup"], floor)
                row["kernels"] = found[f"{name}.kernels"].estimate.value
                row["library_calls"] = found[f"{name}.library_calls"].estimate.value
            table.append(row)
    return pd.DataFrame(table)
