"""Values and tables of linear + ReLU: what fusion gained, and the most it could gain."""

from itertools import product
from operator import itemgetter

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, gained, prefixed
from labs.analysis.values import Values, slug
from labs.experiments.fusion.linear_relu import names
from labs.experiments.fusion.linear_relu.names import ARMS, EAGER
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("fusion", subject="linear_relu", per_device=True)
prefix = ANALYSIS.prefix

COMPILED = (names.COMPILED, names.FROZEN)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    samples, values = Samples(record), {}
    for order in ("first", "second"):
        calls = samples.series("first calls", names.ONE_OPERATOR, order=order)
        seconds = samples.location(calls.map(itemgetter(0)), "s")
        values[f"smallest_compile.{order}"] = seconds
    for dtype in record["spec"]["linear_dtypes"]:
        values[f"{dtype}.noise_floor"] = counted(samples.floor(EAGER, dtype=dtype), "share")
        values[f"{dtype}.relu_share"] = samples.share(names.RELU, EAGER, dtype=dtype)
        for arm in ARMS:
            values[f"{dtype}.{slug(arm)}.steady"] = samples.time(arm, dtype=dtype)
        for arm in COMPILED:
            name = f"{dtype}.{slug(arm)}"
            values[f"{name}.speedup"] = samples.speedup(EAGER, arm, dtype=dtype)
            kernels = fact(record, "generated kernels", arm, dtype=dtype)
            values[f"{name}.kernels"] = counted(max(kernels), "count")
            library_calls = fact(record, "library calls", arm, dtype=dtype)
            values[f"{name}.library_calls"] = counted(max(library_calls), "count")
    return prefixed(prefix(record), values)


@ANALYSIS.old_table_of_values("linear_relu_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and arm: time with interval, speed-up over eager, kernels."""
    table = []
    for dtype, arm in product(record["spec"]["linear_dtypes"], ARMS):
        name = f"{prefix(record)}.{dtype}.{slug(arm)}"
        row = {"device": record["device"], "dtype": dtype, "arm": arm}
        row |= columns(seconds=values[f"{name}.steady"])
        if arm in COMPILED:
            floor = values[f"{prefix(record)}.{dtype}.noise_floor"].value
            row |= gained(values[f"{name}.speedup"], floor)
            row["kernels"] = values[f"{name}.kernels"].value
            row["library_calls"] = values[f"{name}.library_calls"].value
        table.append(row)
    return pd.DataFrame(table)
