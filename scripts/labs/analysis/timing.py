"""How each timed experiment was measured: its processes, and what others took from it."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from labs.analysis.frame import processes
from labs.records.names.timing import DISTURBED, KEPT_DISTURBED, NEEDED, STEADY
from labs.records.record import Record

COLUMNS = [
    "experiment",
    "device",
    "processes",
    "needed",
    "samples",
    "taken_again",
    "disturbed",
    "others",
    "left",
    "waited",
]


def timing_table(measured: Iterable[Record]) -> pd.DataFrame:
    """Return one row per experiment that was timed in fresh processes, and device.

    ``needed`` processes would have given every ratio its width; ``samples`` were taken, of which
    some were ``taken_again`` because others disturbed them, and some ``disturbed`` ones count
    because too few were not. ``others`` is the most cores that others used before a process,
    ``left`` how many the job left to them because they kept them busy, and ``waited`` the seconds
    that it waited for them.
    """
    return pd.DataFrame(
        [_row(record) for record in measured if needed(record) is not None], columns=COLUMNS
    )


def needed(record: Record) -> int | None:
    """Return how many processes the spread asked for; None for what had no choice of them."""
    return max(_facts(record, NEEDED), default=None)


def _row(record: Record) -> dict[str, Any]:
    steady, again = (_samples(record, quantity) for quantity in (STEADY, DISTURBED))
    loads = record["loads"]
    return {
        "experiment": record["experiment"].replace("_", " "),
        "device": record["device"],
        "processes": int(processes(record).value),
        "needed": needed(record),
        "samples": steady + again,
        "taken_again": again,
        "disturbed": sum(_facts(record, KEPT_DISTURBED)),
        "others": max(load.get("others", 0.0) for load in loads),
        "left": max(load.get("left", 0) for load in loads),
        "waited": sum(load.get("waited", 0.0) for load in loads),
    }


def _samples(record: Record, quantity: str) -> int:
    return sum(len(row["seconds"]) for row in record["samples"] if row["quantity"] == quantity)


def _facts(record: Record, name: str) -> list[int]:
    return [row["value"] for row in record["facts"] if row["name"] == name]
