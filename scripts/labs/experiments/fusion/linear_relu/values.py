"""Values and tables of linear + ReLU: what fusion gained, and the most it could gain."""

from itertools import product

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, all_counted, columns, fact, gained
from labs.analysis.values import Tree, Values
from labs.experiments.fusion.linear_relu import names
from labs.experiments.fusion.linear_relu.names import ARMS, EAGER, MADE
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("fusion", subject="linear_relu", per_device=True)
prefix = ANALYSIS.prefix

COMPILED = (names.COMPILED, names.FROZEN)


@ANALYSIS.values
def values(record: Record) -> Tree:
    samples = Samples(record)
    first, second = (
        samples.first("first calls", names.ONE_OPERATOR, order=order)
        for order in ("first", "second")
    )
    return {
        "smallest_compile": {
            "first": samples.location(first, "s"),
            "second": samples.location(second, "s"),
        },
        **{dtype: _in_format(record, dtype) for dtype in record["spec"]["linear_dtypes"]},
    }


def _in_format(record: Record, dtype: str) -> Tree:
    samples = Samples(record, dtype=dtype)
    by_arm = {arm: {"steady": samples.time(arm)} for arm in ARMS}
    for arm in COMPILED:
        made = {name: max(fact(record, count, arm, dtype=dtype)) for name, count in MADE.items()}
        by_arm[arm]["speedup"] = samples.speedup(EAGER, arm)
        by_arm[arm] |= all_counted("count", {**made, "all_kernels": sum(made.values())})
    return {
        **by_arm,
        "noise_floor": counted(samples.floor(EAGER), "share"),
        "relu_share": samples.share(names.RELU, EAGER),
    }


@ANALYSIS.table_of_values("linear_relu_time")
def time_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and arm: time with interval, speed-up over eager, kernels."""
    table = []
    for dtype, arm in product(record["spec"]["linear_dtypes"], ARMS):
        of_arm = values.below(dtype, arm)
        row = {"device": record["device"], "dtype": dtype, "arm": arm}
        row |= columns(seconds=of_arm["steady"])
        if arm in COMPILED:
            row |= gained(of_arm["speedup"], values[dtype, "noise_floor"].value)
            row |= {made: of_arm[made].value for made in MADE}
        table.append(row)
    return pd.DataFrame(table)
