"""Values and tables of the number formats, each with correct rounding and as in MASE."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact
from labs.analysis.points import Case, Points, described
from labs.analysis.values import Values, slug
from labs.formats.names import MASE, NEAREST
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("formats")

KEYS = ["format", "mode"]


def name_of(case: Case) -> str:
    """Return the name of a format's accuracy, such as formats.mxint8.nearest."""
    return f"formats.{slug(case['format'])}.{case['mode']}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    points, quoted = Points(record, split="validation"), {}
    for case in points.cases(KEYS):
        name, nearest = name_of(case), {**case, "mode": NEAREST}
        quoted[name] = points.accuracy(case)
        (error,) = fact(record, "weight error", "format", **case)
        (kept,) = fact(record, "weights kept", "format", **case)
        quoted[f"{name}.error"] = counted(error, "share")
        quoted[f"{name}.kept"] = counted(kept, "share")
        if case["mode"] == MASE and points.has(nearest):
            quoted[f"{name}.cost"] = points.gain(nearest, case)
    plain, scaled = ({"format": name, "mode": NEAREST} for name in ("binary", "binary_scaling"))
    quoted["formats.scaling.ahead"] = points.gain(scaled, plain)
    return quoted


@ANALYSIS.old_table_of_values("formats_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and mode: accuracy; bits, error and share kept of the weights."""
    facts = {"average bits": "bits", "weight error": "error", "weights kept": "kept"}
    table = described(record, KEYS, facts, lambda case: values[name_of(case)])
    return table.assign(device=record["device"])
