"""What report/published.yaml says: numbers, to calculate with and to compare, and conditions."""

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

REPORT = Path(__file__).parents[3] / "report"
PATH, SIZES = REPORT / "published.yaml", REPORT / "lab_sizes.yaml"


def numbers(statement: str) -> dict[str, float]:
    """Return a published statement's values by name, in the units given there.

    Raises KeyError if the statement is missing or has no values.
    """
    for entry in _document()["statements"]:
        if entry["id"] == statement and "values" in entry:
            return {value["name"]: float(value["value"]) for value in entry["values"]}
    raise KeyError(f"{PATH}: there are no values of {statement}")


def conditions(statement: str) -> dict[str, Any]:
    """Return the settings at which a published statement was made, as far as they are known.

    They are the lab's own sizes of its question, but for what the statement itself names.
    """
    entries = {entry["id"]: entry for entry in _document()["statements"]}
    entry = entries[statement]
    lab: dict[str, Any] = _sizes().get(entry["question"], {}).get("sizes", {})
    own: dict[str, Any] = entry.get("conditions", {})
    return lab | own


def compared(values: pd.DataFrame) -> pd.DataFrame:
    """Return one row per published number whose quantity was measured here as well.

    ``values`` is the table of all values.
    """
    columns = ["value", "low", "high", "unit"]
    measured = values.drop_duplicates("name").set_index("name")[columns].to_dict("index")
    rows = [
        {"lab": entry["lab"], "label": entry["label"], **measured[entry["here"]]}
        # A statement's id begins with the letter of its report.
        | {"report": statement.partition("-")[0], "published": numbers(statement)[name]}
        for entry in _document()["compared"]
        if entry["here"] in measured
        for statement, name in entry["published"].items()
    ]
    return pd.DataFrame(rows)


@cache
def _document() -> dict[str, list[dict[str, Any]]]:
    document: dict[str, list[dict[str, Any]]] = yaml.safe_load(PATH.read_text(encoding="utf-8"))
    return document


@cache
def _sizes() -> dict[str, dict[str, Any]]:
    document: dict[str, dict[str, Any]] = yaml.safe_load(SIZES.read_text(encoding="utf-8"))
    return document
