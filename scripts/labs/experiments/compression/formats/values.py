"""Values and tables of the number formats, each with correct rounding and as in MASE."""

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact
from labs.analysis.points import Points, described
from labs.analysis.values import Tree, Values
from labs.experiments.compression.points import by_point
from labs.formats.names import MASE, NEAREST
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case

ANALYSIS = Analysis("formats")

KEYS = ["format", "mode"]


def path(case: Case) -> tuple[str, str]:
    """Return the parts of the name of a point's values: a format and its mode."""
    return case["format"], case["mode"]


@ANALYSIS.values
def values(record: Record) -> Tree:
    """Return each format's accuracy, what it changes, and what MASE's form ``cost``."""
    points = Points(record, split="validation")

    def mean_share(name: str, case: Case) -> Quantity:
        return counted(float(np.mean(fact(record, name, "format", **case))), "share")

    def of_format(case: Case) -> Tree:
        nearest = {**case, "mode": NEAREST}
        return {
            "": points.accuracy(case),
            "error": mean_share("weight error", case),
            "kept": mean_share("weights kept", case),
            **points.losses({"cost": (nearest, case)} if case["mode"] == MASE else {}),
        }

    plain, scaled = ({"format": name, "mode": NEAREST} for name in ("binary", "binary_scaling"))
    return {
        **by_point(points.cases(KEYS), path, of_format),
        "scaling": {"ahead": points.gain(scaled, plain)},
    }


@ANALYSIS.table_of_values("formats_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and mode: accuracy; bits, error and share kept of the weights."""
    facts = {"average bits": "bits", "weight error": "error", "weights kept": "kept"}
    table = described(record, KEYS, facts, lambda case: values[path(case)])
    return table.assign(device=record["device"])
