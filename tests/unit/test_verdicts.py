"""How intervals decide: whether two arms differ, whether one keeps what another has."""

import pytest

from labs.claims.family import Family
from labs.claims.statement import Statement
from labs.records.quantity import Estimate, Quantity, counted

STATEMENT = Statement("a", "lab1-1", "cpu", "One is more accurate.", ("like",), ("against",))


def share(low: float, high: float) -> Quantity:
    """A difference of accuracies with this interval, in points."""
    return Quantity.of(Estimate((low + high) / 200, low / 100, high / 100), "points")


def ratio(value: float, factor: float) -> Quantity:
    """A ratio of times whose interval reaches by this factor to either side."""
    return Quantity.of(Estimate(value, value / factor, value * factor), "ratio")


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
        # The 90 % interval is the narrower one, and ends at 0.93 points; the other at 1.01.
        (0.0, 1.0, "no difference", ("like",)),
        (0.1, 1.1, "confirmed", ("against",)),
    ],
)
def test_no_difference_that_matters_is_looked_at_first(
    low: float, high: float, verdict: str, contradicts: tuple[str, ...]
) -> None:
    claim = STATEMENT.superior(share(low, high))
    assert (claim.verdict, claim.contradicts) == (verdict, contradicts)


@pytest.mark.parametrize(
    ("low", "high", "kept", "same"),
    [
        (-0.9, 0.9, "confirmed", "confirmed"),
        # A cost, and surely one that does not matter.
        (0.1, 0.9, "confirmed", "confirmed"),
        # What gains is as accurate too.
        (-3.0, -2.0, "confirmed", "refuted"),
        (2.0, 3.0, "refuted", "refuted"),
        (0.1, 2.0, "refuted", "refuted"),
        (-0.5, 2.0, "undecided", "undecided"),
    ],
)
def test_accuracy_is_kept_where_no_cost_matters_and_the_same_where_neither_is_ahead(
    low: float, high: float, kept: str, same: str
) -> None:
    assert STATEMENT.non_inferior(share(low, high)).verdict == kept
    assert STATEMENT.equivalent(share(low, high)).verdict == same


@pytest.mark.parametrize(
    ("speedup", "floor", "verdict"),
    [
        (ratio(1.2, 1.1), 0.02, "confirmed"),
        (ratio(0.8, 1.1), 0.02, "refuted"),
        (ratio(1.01, 1.03), 0.02, "no difference"),
        # As small a difference on a machine that shows greater ones between equal arms.
        (ratio(1.01, 1.03), 0.06, "undecided"),
        (ratio(1.2, 1.1), 0.3, "undecided"),
        (ratio(1.2, 1.3), 0.02, "undecided"),
    ],
)
def test_faster_is_beyond_the_noise_floor(speedup: Quantity, floor: float, verdict: str) -> None:
    assert STATEMENT.faster(speedup, floor).verdict == verdict


def test_each_statement_says_by_which_test_it_is_judged() -> None:
    too_small_to_matter = share(0.1, 0.9)
    assert STATEMENT.exceeds(too_small_to_matter, 0).verdict == "confirmed"
    assert STATEMENT.exceeds(counted(0.001, "share"), 0).verdict == "confirmed", "it was counted"
    assert STATEMENT.superior(too_small_to_matter).verdict == "no difference"
    with pytest.raises(ValueError, match="a: a difference in the unit bits has no points"):
        STATEMENT.superior(Quantity.of(Estimate(0.005, 0.001, 0.009), "bits"))


def test_a_claim_of_several_falls_where_one_makes_no_difference_that_matters() -> None:
    holds = STATEMENT.superior(share(2.0, 3.0))
    open_, none = STATEMENT.superior(share(-2.0, 3.0)), STATEMENT.superior(share(-0.1, 0.1))
    assert STATEMENT.all_hold([holds, holds]).verdict == "confirmed"
    assert STATEMENT.all_hold([holds, open_]).verdict == "undecided"
    assert STATEMENT.all_hold([open_, none]).verdict == "refuted"
    absent = STATEMENT.not_measured("it was not run")
    assert STATEMENT.all_hold([holds, open_, absent]) == absent
    assert STATEMENT.all_hold([absent, none]).estimate == none.estimate


def test_a_family_of_many_decides_less_than_each_comparison_alone() -> None:
    barely, surely = share(0.1, 4.1), share(10.0, 12.0)
    family = Family(lambda: {"barely": barely, "surely": surely, "open": share(-2.0, 2.0)})
    assert family.superior(STATEMENT, "surely").verdict == "confirmed"
    assert STATEMENT.superior(barely).verdict == "confirmed"
    assert family.superior(STATEMENT, "barely").verdict == "undecided"
    assert family.non_inferior(STATEMENT, "surely").verdict == "refuted"
