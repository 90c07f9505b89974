"""Intervals of accuracies and their differences cover the truth, however few chains there are."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from labs.analysis import accuracy as accuracies
from labs.analysis.accuracy import accuracy
from labs.analysis.statistics import interval90
from labs.records.packed import Correct, pack, unpack

DRAWS = 2000

difference = partial(accuracies.difference, experiment="one of which nothing was learnt")


@given(correct=st.lists(st.booleans(), min_size=1, max_size=3000))
def test_answers_survive_as_text(correct: list[bool]) -> None:
    assert unpack(pack(np.array(correct))).tolist() == correct


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.98])
def test_the_interval_of_an_accuracy_covers_the_truth(truth: float) -> None:
    rng = np.random.default_rng(1)
    estimates = [accuracy(rng.random((1, 400)) < truth) for _ in range(DRAWS)]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    assert 0.93 <= covered <= 0.98


@pytest.mark.parametrize("gain", [0.0, 0.02])
def test_the_interval_of_a_difference_covers_the_truth(gain: float) -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(DRAWS):
        # Both are correct on easy reviews; on others, one of them is, or neither.
        draw = rng.random((1, 400))
        first = draw < 0.8
        second = first.copy()
        second[(draw > 0.80) & (draw < 0.85)] = True
        second[draw < 0.05 + gain] = False
        estimate = difference(first, second)
        covered += estimate.low <= gain <= estimate.high
    assert 0.93 <= covered / DRAWS <= 0.98


def test_the_interval_of_a_difference_is_agresti_and_mins() -> None:
    wins, losses, both = 22, 9, 69
    first = np.array([[True] * wins + [False] * losses + [True] * both])
    second = np.array([[False] * wins + [True] * losses + [True] * both])
    estimate = difference(first, second)
    b, c, n = wins + 0.5, losses + 0.5, wins + losses + both + 2
    reach = 1.959964 * np.sqrt(b + c - (b - c) ** 2 / n) / n
    assert estimate.value == pytest.approx((wins - losses) / 100)
    assert estimate.low == pytest.approx((b - c) / n - reach)
    assert estimate.high == pytest.approx((b - c) / n + reach)


def test_equal_answers_differ_by_zero_with_an_interval() -> None:
    answers = np.random.default_rng(3).random((2, 300)) < 0.8
    estimate = difference(answers, answers)
    assert estimate.value == 0
    assert estimate.low < 0 < estimate.high


def test_chains_are_averaged_before_reviews_are_counted() -> None:
    one = np.random.default_rng(4).random((1, 300)) < 0.8
    single, repeated = accuracy(one), accuracy(np.repeat(one, 5, axis=0))
    assert (single.low, single.high) == (repeated.low, repeated.high)


def test_the_interval_of_an_accuracy_stays_between_zero_and_one() -> None:
    assert accuracy(np.ones((1, 20), dtype=bool)).high == 1.0
    assert accuracy(np.zeros((1, 20), dtype=bool)).low == 0.0


def test_answers_on_different_examples_are_not_compared() -> None:
    with pytest.raises(ValueError, match="unpaired"):
        difference(np.ones((1, 3), dtype=bool), np.ones((1, 4), dtype=bool))


REVIEWS, POINTS = 500, 3
ERROR = 3 * np.sqrt(0.95 * 0.05 / DRAWS)
"""Of a coverage in this many draws: three standard errors."""


def equal_models(
    rng: np.random.Generator, chains: int, deviation: float
) -> tuple[Correct, Correct]:
    """Answers of a base model and of what is made of it, equally good: (chains, points, reviews).

    What a chain does to one of its points, by this standard deviation against 1 of the reviews, it
    does to all of them.
    """
    reviews = rng.normal(0, 1, REVIEWS)
    moved = rng.normal(0, deviation, (chains, 1, 1))

    def answers(points: int, moved: float | NDArray[np.float64]) -> Correct:
        right: Correct = 1.2 + moved + reviews + rng.normal(0, 0.5, (chains, points, REVIEWS)) > 0
        return right

    return answers(1, 0), answers(POINTS, moved)


def covered(chains: int, deviation: float) -> tuple[float, float]:
    """The share of intervals that hold the truth: of chains, and of points taken for chains."""
    rng, held = np.random.default_rng(7), []
    for _ in range(DRAWS):
        base, made = equal_models(rng, chains, deviation)
        one, other = (answers.reshape(-1, REVIEWS) for answers in np.broadcast_arrays(base, made))
        found = difference(base, made), difference(one, other)
        held.append([one.low <= 0 <= one.high for one in found])
    of_chains, of_points = np.mean(held, axis=0)
    return float(of_chains), float(of_points)


@pytest.mark.parametrize("chains", [2, 4, 8])
def test_it_covers_the_truth_where_a_chain_moves_all_its_points(chains: int) -> None:
    of_chains, of_points = covered(chains, 0.4)
    assert abs(of_chains - 0.95) <= ERROR
    assert of_points < 0.95 - 5 * ERROR


@pytest.mark.parametrize("chains", [2, 4, 8])
@pytest.mark.parametrize("deviation", [0.0, 0.05])
def test_it_covers_the_truth_where_chains_hardly_differ(chains: int, deviation: float) -> None:
    assert covered(chains, deviation)[0] >= 0.95 - ERROR


@pytest.mark.parametrize("chains", [2, 4])
def test_it_covers_at_other_levels_too(chains: int) -> None:
    rng, outside = np.random.default_rng(8), 0
    for _ in range(DRAWS):
        low, high = interval90(difference(*equal_models(rng, chains, 0.2)))
        outside += not low <= 0 <= high
    assert abs(outside / DRAWS - 0.1) <= 3 * np.sqrt(0.1 * 0.9 / DRAWS)


def test_chains_that_answer_alike_leave_an_interval_over_reviews() -> None:
    rng = np.random.default_rng(1)
    one, other = (rng.random((1, REVIEWS)) < 0.8 for _ in range(2))
    twice = (np.tile(answers, (2, 1)) for answers in (one, other))
    assert difference(*twice) == difference(one, other)


def test_what_two_models_of_one_chain_share_moves_neither() -> None:
    """What a chain does to both models does nothing to their difference."""
    rng = np.random.default_rng(2)
    before, other = (equal_models(rng, 2, 0.3)[1] for _ in range(2))
    after = before & (rng.random(REVIEWS) < 0.99)
    apart, together = difference(before, other), difference(before, after)
    assert together.high - together.low < (apart.high - apart.low) / 5


def test_a_model_that_all_chains_share_may_be_given_once() -> None:
    base, made = equal_models(np.random.default_rng(3), 2, 0.1)
    assert difference(base[:1], made) == difference(np.repeat(base[:1], 2, axis=0), made)
