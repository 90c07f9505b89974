"""Published numbers that calculations need, from report/published.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import yaml

PATH = Path(__file__).parents[3] / "report" / "published.yaml"


def numbers(statement: str) -> dict[str, float]:
    """Return a published statement's values by name, in the units given there.

    Raises KeyError if the statement is missing or has no values.
    """
    try:
        return {value["name"]: float(value["value"]) for value in _statements()[statement]}
    except KeyError:
        raise KeyError(f"{PATH}: there are no values of {statement}") from None


@cache
def _statements() -> dict[str, list[dict[str, Any]]]:
    entries = yaml.safe_load(PATH.read_text(encoding="utf-8"))["statements"]
    return {entry["id"]: entry["values"] for entry in entries if "values" in entry}
