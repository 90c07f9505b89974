"""Numbers that others have published, where a calculation needs them: report/published.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).parents[3] / "report" / "published.yaml"


def numbers(statement: str) -> dict[str, float]:
    """Return the values of one published statement by name, in the units that stand beside them.

    Raises KeyError for a statement that is not there or has no values.
    """
    try:
        return {value["name"]: float(value["value"]) for value in _statements()[statement]}
    except KeyError:
        raise KeyError(f"{PATH}: there are no values of {statement}") from None


@cache
def _statements() -> dict[str, list[dict[str, Any]]]:
    entries = yaml.safe_load(PATH.read_text(encoding="utf-8"))["statements"]
    return {entry["id"]: entry["values"] for entry in entries if "values" in entry}
