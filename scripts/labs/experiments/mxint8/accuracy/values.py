"""Values and tables of MXINT8's accuracy: that of each arm, and differences paired by review."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact, prefixed
from labs.analysis.points import Points
from labs.analysis.values import Values
from labs.experiments.mxint8.names import BOTH, FLOAT32, WEIGHTS
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_accuracy")

PREFIX = "mxint8_accuracy"
ARMS = {WEIGHTS: "weights", BOTH: "both"}
"""The quantized arms, and what each is called in the names of values."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    points, baseline = Points(record), {"arm": FLOAT32}
    result = {
        "reviews": counted(fact(record, "reviews", FLOAT32)[0], "count"),
        "float32.accuracy": points.accuracy(baseline),
    }
    for arm, short in ARMS.items():
        case = {"arm": arm}
        changed = points.answers(case) != points.answers(baseline)
        result[f"{short}.accuracy"] = points.accuracy(case)
        result[f"{short}.gain"] = points.gain(case, baseline)
        # There are two labels: an answer that is correct in one arm only has another label.
        result[f"{short}.changed"] = counted(int(changed.sum()), "count")
    return prefixed(PREFIX, result)


@ANALYSIS.old_table_of_values("mxint8_accuracy")
def accuracy_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per arm: accuracy, paired difference to float32, labels that changed."""
    table = [{"arm": FLOAT32, **columns(accuracy=values[f"{PREFIX}.float32.accuracy"])}]
    for arm, short in ARMS.items():
        accuracy, gain, changed = (
            values[f"{PREFIX}.{short}.{name}"] for name in ("accuracy", "gain", "changed")
        )
        row = {"arm": arm, **columns(accuracy=accuracy, gain=gain)}
        table.append(row | {"changed": changed.value})
    return pd.DataFrame(table)
