"""Differences of shares, which print in percentage points; positive is better."""

import re
from dataclasses import dataclass, replace

from labs.records.quantity import Quantity, Step

GAINS = re.compile(
    r"\.(gain|ahead|recovered|lead|optimism|control|\w*over_\w+|spread|noise|left|imbalance)$"
    r"|\.(gain|ahead|rise_after|search_over|aware)\.[\w-]+$"
    r"|\.(late_rise|largest_miss|more_repeats)$"
)
LOSSES = re.compile(
    r"\.(loss|cost|behind|behind_32|fall|lost|accuracy_lost|random_behind)$|\.gain\.(biases|mase)$"
)
"""The names of values that are differences of shares: those of losses print with the other sign."""


@dataclass(frozen=True)
class Points(Quantity):
    """A difference of shares."""

    symbol: str = "points"

    @property
    def step(self) -> Step:
        """One percentage point, however small or large the difference is."""
        return Step(self.symbol, 0.01)

    def turned(self) -> "Points":
        """Return the difference the other way round."""
        return replace(self, value=-self.value, low=-self.high, high=-self.low)


def as_points(quantity: Quantity) -> Points:
    """Return a share as a difference."""
    return Points(quantity.value, quantity.low, quantity.high, quantity.freedom, quantity.unit)


def named(name: str, quantity: Quantity) -> Quantity:
    """Return the value with this name, in percentage points if it is a difference of shares."""
    if quantity.unit != "share":
        return quantity
    if LOSSES.search(name):
        return as_points(quantity).turned()
    return as_points(quantity) if GAINS.search(name) else quantity


def in_cell(quantity: Quantity) -> Quantity:
    """Return a quantity as a table shows it."""
    return replace(quantity, symbol="pp") if isinstance(quantity, Points) else quantity
