"""Intervals have their nominal coverage, and equal arms are seldom called different."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import stdtrit

from labs.analysis import statistics
from labs.analysis.statistics import (
    interval90,
    location,
    noise_floor,
    of_ratios,
    verdict,
    within_run,
)
from labs.records.names.intervals import FASTER, RATIOS_BETWEEN_RUNS, TIMES_BETWEEN_RUNS
from labs.records.quantity import Estimate
from tests.shipped import SHIPPED

PRESETS = [
    pytest.param(sizes["processes"], sizes["rounds"], id=name)
    for name, sizes in SHIPPED["presets"].items()
]
EXPERIMENTS = 4000
BETWEEN, WITHIN = 0.03, 0.03
"""Relative standard deviations between processes and between the samples of one."""

positive = st.floats(1e-9, 1e6)


def process_samples(rng: np.random.Generator, processes: int, rounds: int) -> NDArray[np.float64]:
    """Samples of shape (EXPERIMENTS, processes, rounds) of an arm whose true time is 1.

    Processes differ, and so do samples within one.
    """
    between = rng.normal(0, BETWEEN, (EXPERIMENTS, processes, 1))
    within = rng.normal(0, WITHIN, (EXPERIMENTS, processes, rounds))
    return np.exp(between + within)


def process_medians(rng: np.random.Generator, processes: int, rounds: int) -> NDArray[np.float64]:
    """Medians of shape (EXPERIMENTS, processes) of such an arm."""
    return np.median(process_samples(rng, processes, rounds), axis=2)


def ratios(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    """What in_rounds says of the samples of two arms, of all experiments at once."""
    found: NDArray[np.float64] = np.exp(np.median(np.log(above / below), axis=2))
    assert found[0] == pytest.approx(statistics.in_rounds(above[0], below[0]))
    return found


def share_that_covers_one(estimates: list[Estimate]) -> float:
    """How many of the intervals hold 1, the truth."""
    return float(np.mean([estimate.low <= 1 <= estimate.high for estimate in estimates]))


@pytest.mark.parametrize(("processes", "rounds"), PRESETS)
def test_the_interval_of_a_time_covers_the_truth(processes: int, rounds: int) -> None:
    runs = process_medians(np.random.default_rng(1), processes, rounds)
    estimates = [within_run(run, processes) for run in runs]
    assert 0.93 <= share_that_covers_one(estimates) <= 0.97


@pytest.mark.parametrize(("processes", "rounds"), PRESETS)
def test_where_runs_differ_it_covers_the_truth_of_them_all(processes: int, rounds: int) -> None:
    rng = np.random.default_rng(7)
    differ = np.exp(rng.normal(0, TIMES_BETWEEN_RUNS, (EXPERIMENTS, 1)))
    runs = differ * process_medians(rng, processes, rounds)
    estimates = [location(run, processes) for run in runs]
    assert 0.93 <= share_that_covers_one(estimates) <= 0.97


@pytest.mark.parametrize(("processes", "rounds"), PRESETS)
def test_the_interval_of_a_ratio_covers_the_truth(processes: int, rounds: int) -> None:
    rng = np.random.default_rng(2)
    first, second = (process_samples(rng, processes, rounds) for _ in range(2))
    differ = np.exp(rng.normal(0, RATIOS_BETWEEN_RUNS, (EXPERIMENTS, 1, 1)))
    estimates = [of_ratios(run, processes) for run in ratios(differ * first, second)]
    assert 0.93 <= share_that_covers_one(estimates) <= 0.97


def test_the_interval_of_a_quotient_covers_the_truth() -> None:
    """Of unequal numbers of processes: what compiling cost in three, over what it gains in six."""
    rng = np.random.default_rng(3)
    costs = np.exp(rng.normal(0, 0.1, (EXPERIMENTS, 3)))
    gains = np.exp(rng.normal(0, 0.2, (EXPERIMENTS, 6)))
    found = [statistics.quotient(cost, gain, 6) for cost, gain in zip(costs, gains, strict=True)]
    assert 0.93 <= share_that_covers_one(found) <= 0.98


@pytest.mark.parametrize(("processes", "rounds"), PRESETS)
def test_equal_arms_are_called_different_at_most_once_in_20(processes: int, rounds: int) -> None:
    rng = np.random.default_rng(3)
    baseline, arm, again = (process_samples(rng, processes, rounds) for _ in range(3))
    verdicts = [
        verdict(of_ratios(apart, processes), noise_floor(alike, processes))
        for apart, alike in zip(ratios(baseline, arm), ratios(baseline, again), strict=True)
    ]
    assert np.mean([word in ("faster", "slower") for word in verdicts]) <= 0.05


@given(st.lists(positive, min_size=2, max_size=10))
def test_the_interval_contains_the_estimate(medians: list[float]) -> None:
    estimate = location(medians, len(medians))
    assert estimate.low <= estimate.value * (1 + 1e-9)
    assert estimate.value <= estimate.high * (1 + 1e-9)


@given(st.lists(st.tuples(positive, positive), min_size=2, max_size=10))
def test_a_ratio_is_the_ratio_of_the_printed_locations(pairs: list[tuple[float, float]]) -> None:
    first, second = np.array(pairs).T
    printed = location(first, 6).value / location(second, 6).value
    assert of_ratios(first / second, 6).value == pytest.approx(printed)


def test_a_ratio_is_that_of_the_samples_of_a_round() -> None:
    """Where the machine's speed changes between rounds, medians may be of different rounds."""
    speeds, apart = np.array([1.0, 2.0, 3.0]), np.array([1.1, 0.9, 1.0])
    assert np.median(speeds * apart) / np.median(speeds) == pytest.approx(0.9)
    assert statistics.in_rounds([list(speeds * apart)], [list(speeds)]) == pytest.approx([1.0])
    longer = [*(speeds * apart), 100.0]
    assert statistics.in_rounds([longer], [list(speeds)]) == pytest.approx([1.0]), "it is alone"


def test_an_interval_knows_from_how_many_processes_it_is() -> None:
    assert within_run([1.0, 2.0, 3.0], 6).freedom == 2
    assert within_run([1.0, 2.0], 6).freedom == 1
    assert statistics.normal(0.5, 0.01).freedom == math.inf


def test_an_outlier_among_later_processes_widens_the_interval() -> None:
    alike = [1.0, 1.01, 0.99, 1.0, 1.01, 0.99, 1.0]
    assert within_run([*alike, 2.0], 6).high > 1.2 > 1.08 > within_run([*alike, 1.0], 6).high


def test_equal_processes_leave_how_runs_differ() -> None:
    found = location([2.0, 2.0, 2.0], 3)
    assert (found.value, found.freedom) == (2.0, math.inf)
    assert found.high == pytest.approx(2 * math.exp(1.959964 * TIMES_BETWEEN_RUNS))
    ratios_high = 2 * math.exp(1.959964 * RATIOS_BETWEEN_RUNS)
    assert of_ratios([2.0, 2.0], 2).high == pytest.approx(ratios_high)
    assert math.isnan(location([2.0], 1).low)
    assert math.isnan(statistics.quotient([2.0], [1.0, 1.1], 2).low)


@pytest.mark.parametrize("medians", [[], [1.0, 0.0], [1.0, -1.0]])
def test_impossible_times_are_refused(medians: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        location(medians, 6)


@pytest.mark.parametrize(
    ("processes", "apart"), [(3, FASTER), (6, 1 / FASTER), (30, FASTER), (30, 1 / FASTER)]
)
def test_arms_at_the_margin_are_the_same_at_most_once_in_20(processes: int, apart: float) -> None:
    rng = np.random.default_rng(4)
    baseline, arm, again = (process_samples(rng, processes, 5) for _ in range(3))
    pairs = zip(ratios(apart * baseline, arm), ratios(arm, again), strict=True)
    verdicts = [
        verdict(of_ratios(speedup, processes), noise_floor(alike, processes))
        for speedup, alike in pairs
    ]
    assert np.mean([word == "same" for word in verdicts]) <= 0.055


@pytest.mark.parametrize(
    ("low", "value", "high", "word"),
    [
        (1.20, 1.30, 1.40, "faster"),
        (0.60, 0.70, 0.80, "slower"),
        (0.98, 1.00, 1.02, "same"),
        # A difference, and none that matters.
        (1.01, 1.025, 1.04, "same"),
        # The 90 % interval ends at 1.046.
        (0.97, 1.011, 1.054, "same"),
        (0.90, 1.08, 1.30, "undecided"),
        (1.01, 1.15, 1.30, "faster"),
        (1.001, 1.03, 1.06, "undecided"),
        # Of one process there is no interval.
        (math.nan, 2.0, math.nan, "undecided"),
    ],
)
def test_the_verdict_follows_interval_and_noise_floor(
    low: float, value: float, high: float, word: str
) -> None:
    assert verdict(Estimate(value, low, high), floor=0.04) == word


def test_the_narrower_interval_is_that_of_ninety_percent() -> None:
    medians = [1.0, 1.1, 0.9, 1.05]
    reach = stdtrit(3, 0.95) * np.log(medians).std(ddof=1) / 2
    low, high = interval90(within_run(medians, 4).logarithm())
    middle = np.log(medians).mean()
    assert (low, high) == pytest.approx((middle - reach, middle + reach))


def test_the_inverse_of_a_speedup_is_that_of_the_other_arm() -> None:
    speedups = np.array([1.0, 1.2, 1.1]) / [2.0, 2.1, 2.3]
    inverse, other = of_ratios(speedups, 3).inverse(), of_ratios(1 / speedups, 3)
    assert astuple(inverse) == pytest.approx(astuple(other))


def test_the_noise_floor_is_how_far_equal_arms_may_differ_and_at_least_a_percent() -> None:
    apart = [1.05, 1.01, 1.03]
    assert noise_floor(apart, 3) == pytest.approx(within_run(apart, 3).high - 1)
    assert noise_floor([1 / one for one in apart], 3) == pytest.approx(noise_floor(apart, 3))
    assert noise_floor([1.0, 1.0], 2) == statistics.SMALLEST_CLAIM
    assert noise_floor([1.1], 1) == pytest.approx(0.1)


def test_the_noise_floor_falls_as_processes_are_added() -> None:
    rng = np.random.default_rng(6)
    few, many = (
        np.mean([noise_floor(run, 3) for run in process_medians(rng, number, 5)])
        for number in (3, 30)
    )
    assert many < few / 3


def test_only_noisy_samples_are_flagged() -> None:
    rng = np.random.default_rng(5)
    quiet = 1 + 0.01 * rng.standard_normal(40)
    assert statistics.flags(quiet.tolist()) == []
    assert "1 outlier" in statistics.flags([*quiet.tolist(), 2.0])
    assert "two modes" in statistics.flags([*quiet.tolist(), *(1.5 * quiet).tolist()])
    assert "spread over 10 %" in statistics.flags((1 + 0.2 * rng.standard_normal(40)).tolist())
