"""Values and tables of the number formats, each with correct rounding and as in MASE."""

import pandas as pd

from labs.analysis.analysis import Analysis, Values
from labs.analysis.frame import Value, columns, exactly, fact, slug
from labs.analysis.points import Case, Points
from labs.formats.names import MASE, NEAREST
from labs.records.record import Record

ANALYSIS = Analysis("formats")

KEYS = ["format", "mode"]
SHARES = {"error": "weight error", "kept": "weights kept"}
"""Facts about the weights, by the values and columns that show them."""


def name_of(case: Case) -> str:
    """Return the name of a format's accuracy, such as formats.mxint8.nearest."""
    return f"formats.{slug(case['format'])}.{case['mode']}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    points, quoted = Points(record, split="validation"), {}
    for case in points.cases(KEYS):
        name, nearest = name_of(case), {**case, "mode": NEAREST}
        quoted[name] = points.accuracy(case)
        for share, fact_name in SHARES.items():
            (number,) = fact(record, fact_name, "format", **case)
            quoted[f"{name}.{share}"] = exactly(number, "share")
        if case["mode"] == MASE and points.has(nearest):
            quoted[f"{name}.cost"] = points.gain(nearest, case)
    plain, scaled = ({"format": name, "mode": NEAREST} for name in ("binary", "binary_scaling"))
    quoted["formats.scaling.ahead"] = points.gain(scaled, plain)
    return quoted


@ANALYSIS.table_of_values("formats_points")
def point_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per format and mode: accuracy; bits, error and share kept of the weights."""
    table = []
    for case in Points(record, split="validation").cases(KEYS):
        name, (bits,) = name_of(case), fact(record, "average bits", "format", **case)
        shares = {share: values[f"{name}.{share}"].estimate.value for share in SHARES}
        table.append(case | columns(accuracy=values[name]) | {"bits": bits} | shares)
    return pd.DataFrame(table).assign(device=record["device"])
