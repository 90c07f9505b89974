"""The rows of a record: samples, facts, checks and profiler lines."""

from typing import Any

Row = dict[str, Any]
KINDS = ("samples", "facts", "checks", "profiles")

Measured = tuple[list[dict[str, list[Row]]], list[Row]]
"""The rows of each process or replicate, and the load around each of them."""

MASK = "mask"
"""The number of a random mask, in the cases of those after the first."""
