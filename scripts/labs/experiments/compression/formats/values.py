"""Values and tables of the number formats, each with correct rounding and as in MASE."""

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, slug
from labs.analysis.points import Points, described
from labs.formats.names import MASE, NEAREST
from labs.records.record import Record

ANALYSIS = Analysis("formats")

KEYS = ["format", "mode"]


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    table, points, found = point_table(record), Points(record, split="validation"), {}
    rows_of: list[Any] = table.to_dict("records")
    for row in rows_of:
        name = f"formats.{slug(row['format'])}.{row['mode']}"
        case = {key: row[key] for key in KEYS}
        found[name] = points.accuracy(case)
        found[f"{name}.error"] = exactly(row["error"], "share")
        found[f"{name}.kept"] = exactly(row["kept"], "share")
        rival = {"format": row["format"], "mode": NEAREST}
        if row["mode"] == MASE and points.has(rival):
            found[f"{name}.cost"] = points.gain(rival, case)
    plain, scaled = ({"format": name, "mode": NEAREST} for name in ("binary", "binary_scaling"))
    found["formats.scaling.ahead"] = points.gain(scaled, plain)
    return found


@ANALYSIS.table("formats_points")
def point_table(record: Record) -> pd.DataFrame:
    """Return one row per format and mode: accuracy; bits, error and share kept of the weights."""
    names = {"average bits": "bits", "weight error": "error", "weights kept": "kept"}
    return described(record, KEYS, names).assign(device=record["device"])
