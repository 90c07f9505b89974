"""Intervals and verdicts for a few processes.

The unit is the process: each fresh process gives one median, and what counts is the spread of
these medians.  Times are positive and skewed, so the intervals are Student's t on the logarithms of
the process medians (Hoefler & Belli, SC'15, rules 5-7), widened by how runs are known to differ
(:func:`location`).  With so few, a bootstrap is too narrow;
``tests/unit/analysis/test_statistics.py`` shows the coverage at each preset's number of processes.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

from labs.records.names.intervals import (
    CONFIDENCE,
    EQUIVALENCE,
    FASTER,
    RATIOS_BETWEEN_RUNS,
    TIMES_BETWEEN_RUNS,
)
from labs.records.quantity import Estimate
from labs.records.timing import log_ratio

SMALLEST_CLAIM = 0.01
"""No difference below 1 % is ever claimed, however small the noise."""

Verdict = Literal["faster", "slower", "same", "undecided"]


def standard_error(estimate: Estimate) -> float:
    """Return the standard error that the width of a symmetric interval stands for."""
    return (estimate.high - estimate.low) / 2 / _quantile(CONFIDENCE, estimate.freedom)


def interval90(estimate: Estimate) -> tuple[float, float]:
    """Return the bounds of the 90 % interval, of an estimate whose interval is symmetric.

    An interval may have its middle beside the estimate, as that of :func:`accuracy.difference` has.
    Ratios are symmetric in the logarithm: use :meth:`Estimate.logarithm` first.
    """
    middle = (estimate.low + estimate.high) / 2
    reach = _quantile(EQUIVALENCE, estimate.freedom) * standard_error(estimate)
    return middle - reach, middle + reach


def _quantile(level: float, freedom: float) -> float:
    """Return how many standard errors an interval of this level reaches to either side."""
    share = (1 + level) / 2
    return float(ndtri(share) if math.isinf(freedom) else stdtrit(freedom, share))


def within_run(process_medians: ArrayLike, first_stage: int) -> Estimate:
    """Return the geometric mean of the processes' medians with its t interval.

    The first ``first_stage`` processes, as many as the record's spec asks for, decided how many
    more there are, and the spread is theirs (Stein, 1945; ``labs.measure.stages``): the spread over
    all, chosen by the spread of some, is often too small. Where it is larger, it counts: Stein's
    normal processes have no outliers, real ones do.

    The geometric mean estimates the median of a log-normal population of processes; of ratios it
    is one over that of their inverses.  For a single process the bounds are NaN.  Raises ValueError
    if there is no median, or one that is not positive.
    """
    values = np.asarray(process_medians, dtype=float)
    if values.size == 0 or not np.all(values > 0):
        raise ValueError(f"need at least one positive median, got {values.tolist()}")
    logs = mean(np.log(values), first_stage)
    return Estimate(math.exp(logs.value), math.exp(logs.low), math.exp(logs.high), logs.freedom)


def location(
    process_medians: ArrayLike, first_stage: int, between_runs: float = TIMES_BETWEEN_RUNS
) -> Estimate:
    """Return what :func:`within_run` does, with an interval that another run may be held to.

    The processes of a run follow each other within minutes, and do not see how runs differ: by
    ``between_runs``, a relative standard deviation that is known beforehand (a component of type B;
    GUM, JCGM 100:2008, 4.3 and G.4).
    """
    found = within_run(process_medians, first_stage)
    if not found.freedom:
        return found
    return _exponential(found.value, [_variance(found), (between_runs**2, math.inf)])


def mean(values: Sequence[float] | NDArray[np.float64], first: int | None = None) -> Estimate:
    """Return the mean of at least one value with its t interval; of one the bounds are NaN.

    Of two intervals, by the spread of the first ``first`` values (None: of all) and by that of all,
    it is the wider.
    """
    found = np.asarray(values, dtype=float)
    centre = float(found.mean())
    if found.size == 1:
        return Estimate(centre, math.nan, math.nan, 0)
    samples = (found, found[:first])
    reach, freedom = max((_reach(some, found.size), some.size - 1) for some in samples)
    return Estimate(centre, centre - reach, centre + reach, freedom)


def _reach(spread: NDArray[np.float64], number: int) -> float:
    """Return how far the t interval of a mean of ``number`` reaches, with the spread of some."""
    error = float(spread.std(ddof=1)) / math.sqrt(number)
    return _quantile(CONFIDENCE, spread.size - 1) * error


def normal(centre: float, variance: float) -> Estimate:
    """Return an estimate with the normal interval of its variance, for means over many."""
    reach = _quantile(CONFIDENCE, math.inf) * math.sqrt(variance)
    return Estimate(float(centre), float(centre - reach), float(centre + reach))


def of_ratios(process_ratios: ArrayLike, first_stage: int) -> Estimate:
    """Return the location of what each process gave as a ratio of its times.

    What is common to both times of a process cancels.
    """
    return location(process_ratios, first_stage, RATIOS_BETWEEN_RUNS)


def at_best(ratio: float) -> Estimate:
    """Return what a run of endlessly many processes would say of a ratio of times.

    Its interval is what runs differ by.
    """
    return _exponential(ratio, [(RATIOS_BETWEEN_RUNS**2, math.inf)])


def in_rounds(
    numerators: Iterable[Sequence[float]], denominators: Iterable[Sequence[float]]
) -> list[float]:
    """Return each process's ratio of two arms, paired by round (:func:`log_ratio`).

    ``numerators`` and ``denominators`` are the processes' samples.  Raises ValueError when the
    numbers of processes differ.
    """
    return [math.exp(log_ratio(*arms)) for arms in zip(numerators, denominators, strict=True)]


def quotient(numerators: ArrayLike, denominators: ArrayLike, first_stage: int) -> Estimate:
    """Return numerator / denominator, each measured in processes of its own.

    The variances are added on the logarithms (Welch, 1947): the two may differ in spread and in
    processes. Of a single process the bounds are NaN.
    """
    above, below = (within_run(some, first_stage) for some in (numerators, denominators))
    value = above.value / below.value
    if not (above.freedom and below.freedom):
        return Estimate(value, math.nan, math.nan, 0)
    between_runs = (RATIOS_BETWEEN_RUNS**2, math.inf)
    return _exponential(value, [_variance(above), _variance(below), between_runs])


def _variance(estimate: Estimate) -> tuple[float, float]:
    """Return the variance of an estimate's logarithm, and its degrees of freedom."""
    return standard_error(estimate.logarithm()) ** 2, estimate.freedom


def _exponential(value: float, parts: Sequence[tuple[float, float]]) -> Estimate:
    """Return the estimate whose logarithm has these variances, each of so many degrees of freedom.

    The degrees of freedom of their sum are Satterthwaite's (1946).
    """
    variance = sum(one for one, _ in parts)
    uncertain = sum(one**2 / freedom for one, freedom in parts)
    freedom = variance**2 / uncertain if uncertain else math.inf
    reach = _quantile(CONFIDENCE, freedom) * math.sqrt(variance)
    return Estimate(value, value * math.exp(-reach), value * math.exp(reach), freedom)


def noise_floor(process_ratios: ArrayLike, first_stage: int) -> float:
    """Return the relative difference below which nothing is claimed.

    ``process_ratios`` are those of one arm that was timed twice (A/A). The floor is how far from 1
    their interval within this run reaches, and at least ``SMALLEST_CLAIM``: it falls as processes
    are added. A single process has no interval, and gives the difference itself.
    """
    found = within_run(process_ratios, first_stage)
    bounds = [found.low, found.high] if found.freedom else [found.value]
    return max(SMALLEST_CLAIM, math.expm1(max(abs(math.log(bound)) for bound in bounds)))


def is_same(speedup: Estimate) -> bool:
    """Return whether a ratio of times differs from 1 by nothing that matters.

    It does so where its 90 % interval lies within ``FASTER`` of 1 (Schuirmann, 1987).
    """
    return all(abs(bound) < math.log(FASTER) for bound in interval90(speedup.logarithm()))


def verdict(speedup: Estimate, floor: float) -> Verdict:
    """Return the verdict that a speed-up (baseline time / arm time) and its interval allow.

    "same", no difference that matters, is looked at first; it needs a noise floor below the margin
    too, so that large noise makes nothing the same. "faster" and "slower" need the whole interval
    beyond 1, and the speed-up itself beyond the noise floor. Else it is "undecided".
    """
    if math.isnan(speedup.low):
        return "undecided"
    if 1 + floor < FASTER and is_same(speedup):
        return "same"
    if speedup.low > 1 and speedup.value > 1 + floor:
        return "faster"
    if speedup.high < 1 and speedup.value < 1 / (1 + floor):
        return "slower"
    return "undecided"


def flags(seconds: Sequence[float]) -> list[str]:
    """Return warnings about the spread of samples; no sample is dropped."""
    values = np.asarray(seconds, dtype=float)
    if values.size < 4:
        return []
    found = []
    low, middle, high = np.quantile(values, [0.05, 0.5, 0.95])
    if (high - low) / middle > 0.10:
        found.append("spread over 10 %")
    quarter, three_quarters = np.quantile(values, [0.25, 0.75])
    reach = 3 * (three_quarters - quarter)
    outliers = int(np.sum((values < quarter - reach) | (values > three_quarters + reach)))
    if outliers:
        found.append(f"{outliers} outlier" + ("s" if outliers > 1 else ""))
    if _has_two_modes(values):
        found.append("two modes")
    return found


def _has_two_modes(values: np.ndarray) -> bool:
    """Return whether the widest gap splits the samples into two distant groups.

    Each group must hold a quarter of the samples, and the gap be wider than either group.
    """
    ordered = np.sort(values)
    least = max(2, values.size // 4)
    if values.size < 2 * least:
        return False
    gaps = np.diff(ordered)[least - 1 : values.size - least]
    split = int(np.argmax(gaps)) + least
    lower, upper = ordered[:split], ordered[split:]
    widest = max(float(np.ptp(lower)), float(np.ptp(upper)))
    return float(upper[0] - lower[-1]) > widest > 0
