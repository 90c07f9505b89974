"""Intervals of accuracies and their differences cover the truth, however few seeds there are."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.seeds import Answers, scatter
from labs.records.packed import pack, unpack

DRAWS = 2000


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


def test_seeds_are_averaged_before_reviews_are_counted() -> None:
    one = np.random.default_rng(4).random((1, 300)) < 0.8
    single, repeated = accuracy(one), accuracy(np.repeat(one, 5, axis=0))
    assert (single.low, single.high) == (repeated.low, repeated.high)


def test_the_interval_of_an_accuracy_stays_between_zero_and_one() -> None:
    assert accuracy(np.ones((1, 20), dtype=bool)).high == 1.0
    assert accuracy(np.zeros((1, 20), dtype=bool)).low == 0.0


def test_answers_on_different_examples_are_not_compared() -> None:
    with pytest.raises(ValueError, match="unpaired"):
        difference(np.ones((1, 3), dtype=bool), np.ones((1, 4), dtype=bool))


REVIEWS, PAIRS, RECORDS = 1000, 10, 150


def equal_points(rng: np.random.Generator, seeds: int, deviation: float, alike: bool) -> Answers:
    """Answers of pairs of points that are equally good: (2 * PAIRS, seeds, REVIEWS).

    A seed moves a whole training by this standard deviation, against 1 of the reviews; where points
    are not alike, that of a pair varies as a scaled inverse chi-squared variable.
    """
    reviews = rng.normal(0, 1, REVIEWS)
    found = []
    for _ in range(PAIRS):
        own = deviation if alike else deviation * np.sqrt(4 / rng.chisquare(4))
        moved = rng.normal(0, own, (2, seeds, 1))
        found.append(1.2 + moved + reviews + rng.normal(0, 0.5, (2, seeds, REVIEWS)) > 0)
    return np.concatenate(found)


def covered(seeds: int, deviation: float, alike: bool) -> tuple[float, float]:
    """The share of intervals that hold the truth: over seeds and reviews, over reviews alone."""
    rng = np.random.default_rng(7)
    both: list[bool] = []
    alone: list[bool] = []
    for _ in range(RECORDS):
        points = equal_points(rng, seeds, deviation, alike)
        found = scatter(points)
        for first, second in zip(points[::2], points[1::2], strict=True):
            for held, of in ((both, found), (alone, None)):
                estimate = difference(first, second, of)
                held.append(estimate.low <= 0 <= estimate.high)
    return float(np.mean(both)), float(np.mean(alone))


@pytest.mark.parametrize("seeds", [2, 3])
@pytest.mark.parametrize(("deviation", "alike"), [(0.1, True), (0.1, False), (0.02, True)])
def test_it_covers_the_truth_where_seeds_matter(seeds: int, deviation: float, alike: bool) -> None:
    both, alone = covered(seeds, deviation, alike)
    assert 0.93 <= both <= 0.97
    assert alone < 0.93


def test_without_an_effect_of_seeds_little_is_lost() -> None:
    both, _ = covered(2, 0.0, alike=True)
    assert 0.93 <= both <= 0.98


def test_trainings_that_answer_alike_leave_an_interval_over_reviews() -> None:
    rng = np.random.default_rng(1)
    others = scatter(equal_points(rng, 2, 0.1, alike=True))
    one, other = (np.tile(rng.random(REVIEWS) < 0.8, (2, 1)) for _ in range(2))
    assert difference(one, other, others) == difference(one, other)


def test_what_two_models_of_one_training_share_is_no_scatter() -> None:
    """A seed that moves both models moves their difference by nothing."""
    rng = np.random.default_rng(2)
    points = equal_points(rng, 2, 0.3, alike=True)
    before = points[0]
    after = before & (rng.random(REVIEWS) < 0.99)
    apart = difference(before, points[1], scatter(points))
    together = difference(before, after, scatter(points))
    assert together.high - together.low < (apart.high - apart.low) / 5


def test_one_seed_shows_no_scatter_and_points_with_the_same_answers_count_once() -> None:
    assert scatter([np.ones((1, 10), dtype=bool)]) is None
    rng = np.random.default_rng(3)
    points = equal_points(rng, 2, 0.1, alike=True)
    assert scatter([*points, *points]) == scatter(points)
