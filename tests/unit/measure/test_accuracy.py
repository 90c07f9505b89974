"""Intervals of accuracies have their nominal coverage, and pairs are compared as pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labs.analysis.accuracy import accuracy, difference
from labs.records.answers import pack, unpack

EXPERIMENTS = 2000


@given(correct=st.lists(st.booleans(), min_size=1, max_size=3000))
def test_answers_survive_as_text(correct: list[bool]) -> None:
    assert unpack(pack(np.array(correct))).tolist() == correct


@pytest.mark.parametrize("truth", [0.5, 0.8, 0.98])
def test_the_interval_of_an_accuracy_covers_the_truth(truth: float) -> None:
    rng = np.random.default_rng(1)
    estimates = [accuracy(rng.random((1, 400)) < truth) for _ in range(EXPERIMENTS)]
    covered = np.mean([estimate.low <= truth <= estimate.high for estimate in estimates])
    assert 0.93 <= covered <= 0.98


@pytest.mark.parametrize("gain", [0.0, 0.02])
def test_the_interval_of_a_difference_covers_the_truth(gain: float) -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(EXPERIMENTS):
        # Both are correct on easy reviews; on others, one of them is, or neither.
        draw = rng.random((1, 400))
        first = draw < 0.8
        second = first.copy()
        second[(draw > 0.80) & (draw < 0.85)] = True
        second[draw < 0.05 + gain] = False
        estimate = difference(first, second)
        covered += estimate.low <= gain <= estimate.high
    assert 0.93 <= covered / EXPERIMENTS <= 0.98


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
