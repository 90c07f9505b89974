"""What eight chains say of the next: it is learnt as it was planted, and intervals hold with it."""

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pytest
from scipy.special import stdtrit

from labs.analysis.chains import Spread
from labs.analysis.learned import LEARNED, Learned
from labs.records.names.intervals import CONFIDENCE
from labs.records.record import Record
from tests.method.check_agreement import OPPOSITE
from tests.method.check_chains import of_four
from tests.method.learn_chains import comparisons, learn, learn_kinds, records

KIND, REVIEWS = "planted", 2000
SHARE = 0.1
RNG = np.random.default_rng


def planted(rng: np.random.Generator, number: int, of_chains: int, alike: float) -> list[Spread]:
    """Comparisons of equal models, which differ in one to forty of a hundred answers.

    What chains do to each is as ``alike`` as this number of degrees of freedom says.
    """
    found = []
    for differing in rng.uniform(0.01, 0.4, number):
        coins = differing / REVIEWS
        truth = (coins + (SHARE * differing) ** 2) * alike / rng.chisquare(alike)
        values = rng.normal(0, np.sqrt(truth), of_chains)
        variance = float(values.var(ddof=1))
        found.append(Spread(KIND, of_chains, float(values.mean()), variance, coins, differing))
    return found


def held(seen: Sequence[Spread]) -> float:
    """The share of intervals over chains that hold the truth."""
    holds = []
    for one in seen:
        variance, freedom = one.moderated()
        reach = stdtrit(freedom, (1 + CONFIDENCE) / 2) * np.sqrt(variance / one.chains)
        holds.append(abs(one.value) <= reach)
    return float(np.mean(holds))


@pytest.mark.parametrize("alike", [3.0, 100.0])
def test_the_share_that_was_planted_is_learnt(alike: float) -> None:
    found = learn(planted(RNG(1), 400, 8, alike))
    assert found.share == pytest.approx(SHARE, rel=0.15)
    assert found.freedom == pytest.approx(min(alike, 7), rel=0.3)


@pytest.mark.parametrize("number", [2, 4])
@pytest.mark.parametrize("alike", [3.0, 100.0])
def test_intervals_over_few_chains_hold_what_they_promise(
    number: int, alike: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng, shares = RNG(2), []
    for _ in range(60):
        monkeypatch.setitem(LEARNED, KIND, learn(planted(rng, 20, 8, alike)))
        shares.append(held(planted(rng, 200, number, alike)))
    assert 0.93 < np.mean(shares) < 0.97


def test_chains_that_differ_too_much_for_what_was_learnt_count_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(LEARNED, KIND, Learned(SHARE, 7.0))
    expected = Spread(KIND, 2, 0.0, 1.0, 1e-5, 0.1).expected(SHARE)
    for times, own in ((12, False), (13, True)):
        variance, freedom = Spread(KIND, 2, 0.0, times * expected, 1e-5, 0.1).moderated()
        assert freedom == (1 if own else 8)
        assert (variance == times * expected) == own


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """The records of eight chains."""
    return records(tmp_path_factory.mktemp("chains"))


def test_what_was_learnt_follows_from_the_kept_chains(kept: list[Record]) -> None:
    found = learn_kinds([*chain.from_iterable(map(comparisons, kept))])
    assert found.keys() == LEARNED.keys()
    for kind, learned in found.items():
        # The last digit may be rounded otherwise elsewhere.
        assert learned == pytest.approx(LEARNED[kind], rel=0.1)


def test_pairs_of_the_kept_chains_agree_as_they_foretell(kept: list[Record]) -> None:
    """One of the seventy ways to choose four that teach; check_chains.py takes all."""
    of_curves = [record for record in kept if record["experiment"] == "quantization"]
    verdicts, predictions = of_four(of_curves, (0, 2, 4, 6))
    opposite = [{*pair} == OPPOSITE for pair in verdicts[["first", "second"]].to_numpy()]
    assert len(opposite) > 100
    assert not any(opposite)
    assert predictions["inside"].mean() > 0.9
