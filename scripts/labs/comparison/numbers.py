"""Which values of two runs differ by more than their intervals allow.

A value that was measured in each run has a 95 % interval in each. Of the difference, the intervals'
halves that face each other are added in quadrature (Newcombe, 1998): on the logarithmic scale for
times, rates and ratios, whose intervals are symmetric there, else as they are. The half-width of an
interval, divided by its quantile of Student's t, is a standard error, and the difference divided by
the standard error of both has the degrees of freedom of Welch and Satterthwaite. Without these, an
interval from three processes would look as if it were known as well as one from a thousand reviews.

Of values that did not move, one in twenty is outside its intervals by chance alone. So the values
that count as moved are those of Benjamini and Hochberg (1995) over all that were tested: of what is
listed, at most one in twenty is expected to be chance, and where nothing moved, at most one in
twenty comparisons of runs lists anything. That holds for values that are independent or rise and
fall together, as most of one record do.

Two runs may judge the same reviews: then accuracies differ by less than their intervals allow, and
the test is careful. Where one run's spread is ten times the other's, and each has three processes,
Welch's approximation is not careful: its smallest probabilities are several times too small.

A value without an interval was counted, or says nothing of its noise, and is compared exactly. So
is one whose record was not measured again: no chance lies between two readings of the same samples.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from scipy.special import stdtr, stdtrit

from labs.analysis.statistics import Estimate
from labs.records.names.intervals import CONFIDENCE

FALSE_DISCOVERIES = 1 - CONFIDENCE
"""The share of chance findings that is expected at most in what is listed as moved."""

LOGARITHMIC = ("s", "bytes/s", "flop/s", "op/s", "ratio")
"""The units whose values are compared by their quotient."""


@dataclass(frozen=True)
class Number:
    """A row of values.csv; ``evidence`` is its record's path."""

    estimate: Estimate
    unit: str
    evidence: str

    @property
    def has_interval(self) -> bool:
        """Return whether the number says how far chance could move it."""
        return not math.isnan(self.estimate.low)

    @property
    def plain(self) -> tuple[float, ...]:
        """Return what is compared exactly: the number, with its interval if it has one."""
        found = self.estimate
        return (found.value, *((found.low, found.high) if self.has_interval else ()))


@dataclass(frozen=True)
class Pair:
    """One value in two runs; ``chance`` is the probability of such a difference without a cause."""

    name: str
    old: Number
    new: Number
    chance: float = 0.0


@dataclass
class Numbers:
    """The values of two runs, by what comparing them found.

    ``moved``, the least likely chance first, are of the ``tested``; ``differing`` are of those that
    were compared exactly, whose number is ``exact``; ``not_compared`` are names by the reason;
    ``new`` and ``gone`` are names.
    """

    tested: list[Pair] = field(default_factory=list)
    moved: list[Pair] = field(default_factory=list)
    exact: int = 0
    differing: list[Pair] = field(default_factory=list)
    not_compared: dict[str, list[str]] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)


def numbers(values: str) -> dict[str, Number]:
    """Return the rows of values.csv by name; KeyError or ValueError for what it lacks."""
    found = {}
    for row in csv.DictReader(io.StringIO(values)):
        low, high = (float(row[bound] or "nan") for bound in ("low", "high"))
        estimate = Estimate(float(row["value"]), low, high, float(row["freedom"]))
        found[row["name"]] = Number(estimate, row["unit"], row["evidence"])
    return found


def compare(
    old: Mapping[str, Number], new: Mapping[str, Number], same: frozenset[str] = frozenset()
) -> Numbers:
    """Return how the values of two runs differ; ``same`` are the records that both runs share."""
    found = Numbers(new=sorted(new.keys() - old.keys()), gone=sorted(old.keys() - new.keys()))
    for name in sorted(old.keys() & new.keys()):
        pair = Pair(name, old[name], new[name])
        if _is_exact(pair, same):
            found.exact += 1
            if pair.old.plain != pair.new.plain:
                found.differing.append(pair)
        elif reason := _incomparable(pair):
            found.not_compared.setdefault(reason, []).append(name)
        else:
            found.tested.append(replace(pair, chance=chance(pair.old, pair.new)))
    listed = discoveries([pair.chance for pair in found.tested])
    moved = [pair for pair, is_listed in zip(found.tested, listed, strict=True) if is_listed]
    found.moved = sorted(moved, key=lambda pair: pair.chance)
    return found


def chance(old: Number, new: Number) -> float:
    """Return the probability of a difference this large if only chance lay between two numbers.

    It is the same in both directions.
    """
    lower, upper = sorted(map(_on_scale, (old, new)), key=lambda one: one.value)
    difference = upper.value - lower.value
    first = _error(lower.high - lower.value, lower.freedom)
    second = _error(upper.value - upper.low, upper.freedom)
    error = math.hypot(first, second)
    if error == 0 or difference == 0:
        return float(difference == 0)
    shares = (first / error) ** 2, (second / error) ** 2
    inverse = shares[0] ** 2 / lower.freedom + shares[1] ** 2 / upper.freedom
    freedom = 1 / inverse if inverse else math.inf
    return float(2 * stdtr(freedom, -difference / error))


def discoveries(chances: Sequence[float]) -> list[bool]:
    """Return which of several findings to believe (Benjamini and Hochberg, 1995)."""
    ordered = np.sort(np.asarray(chances, dtype=float))
    limits = FALSE_DISCOVERIES * np.arange(1, len(ordered) + 1) / max(1, len(ordered))
    kept = ordered[ordered <= limits]
    return [bool(len(kept)) and one <= kept[-1] for one in chances]


def _is_exact(pair: Pair, same: frozenset[str]) -> bool:
    """Return whether no chance can lie between two numbers, for all that is known."""
    old, new = pair.old, pair.new
    is_same_record = old.evidence == new.evidence and new.evidence in same
    has_interval = old.has_interval or new.has_interval
    return old.unit == new.unit and (is_same_record or not has_interval)


def _incomparable(pair: Pair) -> str:
    """Return why two numbers cannot be compared, or an empty text."""
    old, new = pair.old, pair.new
    if old.unit != new.unit:
        return f"their unit was {old.unit} and is {new.unit}"
    if old.has_interval != new.has_interval:
        return "only one run has an interval"
    if old.unit in LOGARITHMIC and min(old.estimate.low, new.estimate.low) <= 0:
        return "an interval of a time, rate or ratio reaches zero"
    return ""


def _on_scale(number: Number) -> Estimate:
    """Return a number's estimate on the scale on which differences are tested."""
    found = number.estimate
    if number.unit not in LOGARITHMIC:
        return found
    value, low, high = (math.log(one) for one in (found.value, found.low, found.high))
    return Estimate(value, low, high, found.freedom)


def _error(half: float, freedom: float) -> float:
    """Return the standard error behind one half of an interval, never below zero."""
    return max(0.0, half) / float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
