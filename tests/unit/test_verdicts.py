"""How an interval decides whether one share is above another, or whether they differ at all."""

from __future__ import annotations

import pytest

from labs.analysis.frame import Value, exactly
from labs.analysis.statistics import Estimate
from labs.claims.claim import MATTERS, Statement

STATEMENT = Statement("a", "lab1-1", "cpu", "One is more accurate.", ("like",), ("against",))


def share(low: float, high: float) -> Value:
    """A difference of accuracies with this interval, in points."""
    return Value(Estimate((low + high) / 200, low / 100, high / 100), "share")


@pytest.mark.parametrize(
    ("low", "high", "verdict", "contradicts"),
    [
        (0.5, 2.0, "confirmed", ("against",)),
        (-2.0, -0.5, "refuted", ("like",)),
        (-0.5, 2.0, "undecided", ()),
        (-0.9, 0.9, "no difference", ("like",)),
        # Surely above zero, and surely by less than matters.
        (0.1, 0.9, "no difference", ("like",)),
        (-0.9, -0.1, "no difference", ("like",)),
        (0.1, 1.0, "confirmed", ("against",)),
    ],
)
def test_an_interval_within_a_point_of_zero_is_no_difference(
    low: float, high: float, verdict: str, contradicts: tuple[str, ...]
) -> None:
    claim = STATEMENT.above(share(low, high), 0)
    assert (claim.verdict, claim.contradicts) == (verdict, contradicts)


def test_a_replicate_that_differs_by_more_than_matters_is_heard() -> None:
    small = share(-0.5, 0.5)
    assert STATEMENT.above(small, 0, [MATTERS / 2, -MATTERS / 2]).verdict == "no difference"
    assert STATEMENT.above(small, 0, [2 * MATTERS, -2 * MATTERS]).verdict == "undecided"


def test_only_differences_of_shares_can_be_too_small_to_matter() -> None:
    assert STATEMENT.above(exactly(0.001, "share"), 0).verdict == "confirmed", "it was counted"
    assert STATEMENT.above(share(0.1, 0.9), -0.01).verdict == "confirmed", "not against zero"
    losses = Value(Estimate(0.005, 0.001, 0.009), "bits")
    assert STATEMENT.above(losses, 0).verdict == "confirmed", "no share"
