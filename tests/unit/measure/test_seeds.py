"""Intervals over seeds and reviews cover the truth, however few seeds there are."""

import numpy as np
import pytest

from labs.analysis.accuracy import difference
from labs.analysis.seeds import Answers, scatter

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
def test_the_interval_covers_the_truth_where_seeds_matter(
    seeds: int, deviation: float, alike: bool
) -> None:
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


def test_one_seed_shows_no_scatter() -> None:
    assert scatter([np.ones((1, 10), dtype=bool)]) is None


def test_points_with_the_same_answers_count_once() -> None:
    rng = np.random.default_rng(3)
    points = equal_points(rng, 2, 0.1, alike=True)
    assert scatter([*points, *points]) == scatter(points)
