"""What a run leaves open, by question, and which preset may decide it."""

from dataclasses import replace

import pytest

from labs.analysis.learned import Learned
from labs.claims.claim import Claim
from labs.claims.statement import MORE_WOULD_NOT_DECIDE
from labs.records.quantity import Quantity, counted
from reporting import open_claims
from reporting.open_claims import lines, narrowing_needed

PRESETS = {
    "short": {"processes": 6, "budget": 0, "chains": 2, "search": {"seeds": 2}},
    "long": {"processes": 6, "budget": 360, "chains": 4, "search": {"seeds": 2}},
    "longer": {"processes": 6, "budget": 360, "chains": 8, "search": {"seeds": 4}},
}


def undecided(estimate: Quantity, record: str = "pruning", question: str = "lab1-2") -> Claim:
    return Claim(
        id="a",
        question=question,
        statement="One is ahead.",
        verdict="undecided",
        estimate=estimate,
        device="cpu",
        evidence=f"results/short/records/{record}.json",
    )


def points(value: float, reach: float) -> Quantity:
    """A difference of accuracies whose interval reaches so far to either side, in points."""
    return Quantity(value / 100, (value - reach) / 100, (value + reach) / 100, unit="points")


@pytest.mark.parametrize(
    ("estimate", "times"),
    [
        # What would decide is an interval beside zero, or one within a point.
        (points(2.0, 6.0), 3.0),
        (points(-2.0, 6.0), 3.0),
        (points(0.0, 2.0), 2.0),
        (Quantity(1.0, 1 / 1.05**2, 1.05**2, unit="ratio"), 2.0),
        (Quantity(1.1, 1.0 / 1.1, 1.1**3, unit="ratio"), 2.0),
        # These are judged in another way, which the claim does not tell.
        (points(2.0, 1.5), 0.0),
        (Quantity(0.5, 0.4, 0.6, unit="share"), 0.0),
    ],
)
def test_how_narrow_an_interval_may_decide_follows_from_the_estimate(
    estimate: Quantity, times: float
) -> None:
    assert narrowing_needed(undecided(estimate)) == pytest.approx(times)


@pytest.mark.parametrize(("learned", "reach"), [({}, 11.2), ({"pruning": Learned(0.1, 7.0)}, 2.9)])
def test_twice_the_chains_may_decide_by_what_was_learnt_of_their_kind(
    learned: dict[str, Learned], reach: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By Student's t, four chains reach 5.6 times less far than two; or 1.46 times."""
    monkeypatch.setattr(open_claims, "LEARNED", learned)
    for wider, expected in ((0, "long may decide 1"), (0.1, "longer may decide 1")):
        claim = undecided(points(2.0, reach + wider))
        assert lines([claim], PRESETS, "short")[1:] == [f"  1.2: 1 open; {expected}"]


def test_each_question_has_a_line_that_names_the_least_preset_that_may_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(open_claims, "LEARNED", {})
    # By Student's t, four chains reach 5.6 times less far than two, and eight 10.7 times.
    chains = undecided(points(2.0, 11.2))
    hopeless = replace(undecided(Quantity(1.02, 0.9, 1.2, unit="ratio")), question="lab4-1a")
    claims = [
        chains,
        undecided(points(2.0, 21.4)),
        undecided(points(2.0, 21.6)),
        replace(chains, verdict="confirmed"),
        replace(chains, estimate=counted(3), verdict="undecided"),
        undecided(points(2.0, 2.5), "search", "lab2-1"),
        undecided(Quantity(1.1, 1.0 / 1.1, 1.1**3, unit="ratio"), "fusion/cpu", "lab4-2a"),
        replace(hopeless, reason=MORE_WOULD_NOT_DECIDE),
    ]
    assert lines(claims, PRESETS, "short")[1:] == [
        "  1.2: 3 open; long may decide 1, longer may decide 1, "
        "1 would take more than any preset has",
        "  2.1: 1 open; longer may decide 1",
        "  4.1a: 1 open; 1 would take more than any preset has",
        "  4.2a: 1 open; long may decide 1",
    ]
    assert lines(claims, PRESETS, "short")[0].startswith("Open: 6 of 7 claims")
    # A preset of a file that is not read here.
    assert lines(claims[:1], PRESETS, "mine")[1:] == ["  1.2: 1 open; of 1 it is not known"]
    assert lines(claims[3:4], PRESETS, "short") == []
