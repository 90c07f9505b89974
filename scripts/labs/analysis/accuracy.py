"""Accuracy over examples: its interval, and the paired difference between two models.

What is compared is right or wrong, example by example, on the same examples: (replicates, n)
booleans, a replicate being a seed. The example is the unit; replicates are averaged first, so that
an interval says how far other reviews could move the result, for the seeds that were run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from labs.analysis.statistics import CONFIDENCE, Estimate
from labs.records.answers import Correct


def accuracy(correct: Correct) -> Estimate:
    """Return the share of right answers, with an interval after Agresti and Coull (1998).

    They add two right and two wrong answers before the interval is taken.
    """
    estimate = _estimate(correct.mean(axis=0), added=4, total=2.0, squares=2.0)
    return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high))


def difference(first: Correct, second: Correct) -> Estimate:
    """Return how much more often the first is right than the second, paired by example.

    The interval is after Agresti and Min (2005): to the table of pairs, half a pair a cell is added
    before it is taken.  Raises ValueError when the shapes differ.
    """
    if first.shape != second.shape:
        raise ValueError(f"unpaired answers: shapes {first.shape} and {second.shape}")
    return _estimate(first.mean(axis=0) - second.mean(axis=0), added=2, total=0.0, squares=1.0)


def _estimate(values: NDArray[np.float64], added: int, total: float, squares: float) -> Estimate:
    """Return the mean; its interval is of the values and ``added`` ones of that sum and squares."""
    number = len(values) + added
    centre = (values.sum() + total) / number
    variance = (np.square(values).sum() + squares) / number - centre**2
    reach = ndtri((1 + CONFIDENCE) / 2) * np.sqrt(variance / number)
    return Estimate(float(values.mean()), float(centre - reach), float(centre + reach))
