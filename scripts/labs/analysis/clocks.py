"""Times by wall clock and by the GPU's own clock: every arm, warm and with a flushed cache."""

import numpy as np
import pandas as pd

from labs.analysis.frame import Samples, with_interval
from labs.records.record import Record

QUANTITIES = {
    "wall": "steady",
    "on_device": "steady, device",
    "flushed": "flushed, device",
}


def clock_table(record: Record) -> pd.DataFrame:
    """Return one row per arm and case: seconds per call by each clock, with intervals.

    There are no rows if no GPU was timed.
    """
    samples, table = Samples(record), []
    for row in record["samples"]:
        if row["process"] == 0 and row["quantity"] == "steady, device":
            times = {"device": record["device"], "case": words(row["case"]), "arm": row["arm"]}
            for column, quantity in QUANTITIES.items():
                series = samples.series(quantity, row["arm"], **row["case"])
                clock = samples.location(series.map(np.median), "s")
                times |= with_interval(column, clock)
            table.append(times)
    return pd.DataFrame(table, columns=None if table else ["device", "case", "arm"])


def words(case: dict[str, object]) -> str:
    """Return a case in words: "resnet18, train+grad"; "float32, length 64"."""
    return ", ".join(
        value if isinstance(value, str) else f"{key} {value}" for key, value in case.items()
    )
