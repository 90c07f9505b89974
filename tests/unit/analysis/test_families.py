"""What differences show: equivalence at its margin, and families by Holm's procedure."""

import numpy as np
import pytest

from labs.analysis.families import holm, significance, significance_in_family
from labs.analysis.statistics import interval90, mean, normal
from labs.records.names.intervals import POINT
from labs.records.quantity import Estimate

EXPERIMENTS = 4000


def test_holm_multiplies_the_least_by_most_and_never_lets_a_larger_one_pass_a_smaller() -> None:
    """By hand: 4 x 0.01, 3 x 0.02, 2 x 0.025 = 0.05 which may not fall below 0.06, 1 x 0.5."""
    adjusted = holm([0.02, 0.5, 0.01, 0.025])
    assert adjusted == pytest.approx([0.06, 0.5, 0.04, 0.06])


def test_a_family_of_one_is_decided_by_its_intervals() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        one = mean(rng.normal(0.005, 0.01, 5))
        found, (low, high) = significance(one), interval90(one)
        assert found.above == (one.low > 0) and found.below == (one.high < 0)
        assert found.same == (low > -POINT and high < POINT)
        assert found.at_most == (high < POINT)


def test_a_difference_at_the_margin_is_called_none_at_most_once_in_twenty() -> None:
    rng = np.random.default_rng(2)
    for error in (0.001, 0.003, 0.01):
        found = [
            significance(normal(POINT + rng.normal(0, error), error**2)) for _ in range(EXPERIMENTS)
        ]
        assert np.mean([one.same for one in found]) <= 0.055
        assert np.mean([one.at_most for one in found]) <= 0.055


@pytest.mark.parametrize("error", [0.0015, 0.003, 0.005])
def test_of_a_family_without_differences_any_is_claimed_at_most_once_in_20(error: float) -> None:
    """Also where many are called the same: that must not make it easier for the rest."""
    rng = np.random.default_rng(3)
    wrong, alone = [], []
    for _ in range(1000):
        family = {str(n): normal(rng.normal(0, error), error**2) for n in range(18)}
        found = significance_in_family(family)
        wrong.append(any((one.above or one.below) and not one.same for one in found.values()))
        alone.append(any(significance(one).above for one in family.values()))
    assert np.mean(wrong) <= 0.065
    assert np.mean(alone) > 0.2, "alone, each of eighteen has its own chance"


def test_a_family_whose_comparisons_are_all_clear_is_decided_whole() -> None:
    family = {str(n): normal(0.1, 0.01**2) for n in range(18)}
    assert all(one.above for one in significance_in_family(family).values())


def test_a_difference_without_any_scatter_is_what_it_is() -> None:
    assert significance(Estimate(0.0, 0.0, 0.0)).same
    apart = significance(Estimate(0.02, 0.02, 0.02))
    assert apart.above and not apart.same
