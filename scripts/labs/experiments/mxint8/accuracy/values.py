"""Values and tables of MXINT8's accuracy: that of each arm, and differences paired by review."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact
from labs.analysis.points import Points
from labs.analysis.values import Tree, Values
from labs.experiments.mxint8.names import BOTH, FLOAT32, SHORT, WEIGHTS
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_accuracy")


@ANALYSIS.values
def values(record: Record) -> Tree:
    points, baseline = Points(record), {"arm": FLOAT32}

    def of_arm(arm: str) -> Tree:
        case = {"arm": arm}
        changed = points.answers(case) != points.answers(baseline)
        return {
            "accuracy": points.accuracy(case),
            "gain": points.gain(case, baseline),
            # There are two labels: an answer that is correct in one arm only has another label.
            "changed": counted(int(changed.sum())),
        }

    return {
        "reviews": counted(fact(record, "reviews", FLOAT32)[0]),
        "labels": counted(points.answers(baseline).size),
        SHORT[FLOAT32]: {"accuracy": points.accuracy(baseline)},
        **{SHORT[arm]: of_arm(arm) for arm in (WEIGHTS, BOTH)},
    }


@ANALYSIS.table_of_values("mxint8_accuracy")
def accuracy_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per arm: accuracy, paired difference to float32, labels that changed."""
    table = [{"arm": FLOAT32, **columns(accuracy=values[SHORT[FLOAT32], "accuracy"])}]
    for arm in (WEIGHTS, BOTH):
        of_arm = values.below(SHORT[arm])
        row = {"arm": arm, **columns(accuracy=of_arm["accuracy"], gain=of_arm["gain"])}
        table.append(row | {"changed": of_arm["changed"].value})
    return pd.DataFrame(table)
