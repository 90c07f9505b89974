"""Figures that others have published, where a calculation needs them: report/published.yaml."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

PATH = Path(__file__).parents[2] / "report" / "published.yaml"


@cache
def figures(report: str) -> dict[str, float]:
    """Return the numbers that one report gives, by name, in joules, seconds or what they count.

    Raises KeyError where no statement of that report holds a number.
    """
    statements = yaml.safe_load(PATH.read_text(encoding="utf-8"))["statements"]
    found = {
        value["name"]: float(value["value"])
        for statement in statements
        if statement["report"] == report
        for value in statement.get("values", ())
    }
    if not found:
        raise KeyError(f"{PATH}: report {report} gives no numbers")
    return found
