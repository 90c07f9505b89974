"""The winner's longer training: where it is best, and the verdicts that follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from labs.analysis.search.epochs import READING, Epochs
from labs.claims.judge import claims_of
from labs.records.losses import pack_losses, unpack_losses
from tests.unit.search import synthetic
from tests.unit.search.synthetic import RISES

AT_ONCE = (0.5, 0.7, 0.8, 0.9)
"""Validation losses that are lowest at the first point."""


def test_losses_keep_three_digits() -> None:
    losses = np.array([0.0, 0.00123, 0.6931, 17.25])
    assert unpack_losses(pack_losses(losses)) == pytest.approx(losses, rel=5e-4)


def test_the_lowest_point_is_chosen_on_other_reviews_than_it_is_read_on() -> None:
    seen = Epochs(synthetic.search(losses=RISES))
    assert [seen.epochs_at(point) for point in seen.lowest()] == [1, 1]
    assert seen.rises().shape == (2, synthetic.REVIEWS // 2)
    seen.losses[:, 0, READING] = -1
    assert [seen.epochs_at(point) for point in seen.lowest()] == [1, 1]


def test_by_chance_alone_no_loss_rises() -> None:
    """Of equal points one is the lowest; on fresh reviews the others are as often below it."""
    seen = Epochs(synthetic.search(losses=(0.7, 0.7, 0.7, 0.7)))
    rises = []
    for number in range(200):
        seen.losses = np.random.default_rng(number).normal(0.7, 0.1, (2, 4, 200))
        rises.append(seen.rises().mean())
    assert abs(np.mean(rises)) < 4 * np.std(rises) / np.sqrt(len(rises))


@pytest.mark.parametrize(
    ("changes", "claim", "verdict"),
    [
        ({"losses": RISES}, "overfits", "confirmed"),
        ({"losses": (0.9, 0.8, 0.7, 0.7)}, "overfits", "undecided"),
        ({"accuracies": (0.6, 0.7, 0.7, 0.6)}, "accuracy-falls", "confirmed"),
        ({}, "accuracy-falls", "no difference"),
        ({"accuracies": (0.6, 0.6, 0.7, 0.7)}, "accuracy-gains", "confirmed"),
        ({}, "accuracy-gains", "no difference"),
        ({"losses": AT_ONCE}, "lowest-in-first", "confirmed"),
        ({}, "lowest-in-first", "refuted"),
        ({"training": (0.7, 0.71, 0.9, 0.91)}, "training-loss-rises", "confirmed"),
        ({"training": (0.9, 0.91, 0.7, 0.71)}, "training-loss-rises", "refuted"),
    ],
)
def test_verdicts_follow_the_data(changes: dict[str, Any], claim: str, verdict: str) -> None:
    found = {one.id: one.verdict for one in claims_of(synthetic.search(**changes))}
    assert found[f"search.epochs.{claim}"] == verdict
