"""The winner's longer training: where it is best."""

import numpy as np
import pytest

from labs.experiments.search.epochs.values import READING, Epochs
from labs.records.losses import pack_losses, unpack_losses
from tests.unit.kept import RECORDS, told


def test_losses_keep_three_digits() -> None:
    losses = np.array([0.0, 0.00123, 0.6931, 17.25])
    assert unpack_losses(pack_losses(losses)) == pytest.approx(losses, rel=5e-4)


def test_the_lowest_point_is_chosen_on_other_reviews_than_it_is_read_on() -> None:
    low = pack_losses(np.full(500, 0.1))
    seen = Epochs(told("search", "losses", low, step=47))
    assert [seen.epochs_at(point) for point in seen.lowest()] == [1, 1]
    assert seen.rises().shape == (2, 500 // 2)
    seen.losses[:, 0, READING] = -1
    assert [seen.epochs_at(point) for point in seen.lowest()] == [1, 1]


def test_by_chance_alone_no_loss_rises() -> None:
    """Of equal points one is the lowest; on fresh reviews the others are as often below it."""
    seen = Epochs(RECORDS["search"])
    rises = []
    for number in range(200):
        seen.losses = np.random.default_rng(number).normal(0.7, 0.1, (2, 4, 200))
        rises.append(seen.rises().mean())
    assert abs(np.mean(rises)) < 4 * np.std(rises) / np.sqrt(len(rises))
