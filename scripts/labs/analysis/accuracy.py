"""Accuracy over examples: its interval, and the paired difference between two models.

Inputs are (replicates, n) booleans, one replicate per seed: whether each example was classified
correctly. The unit is the example; replicates are averaged first, so an interval says how far
other examples could move the result, for the seeds that were run.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from labs.analysis.statistics import Estimate
from labs.records.answers import Correct
from labs.records.names.intervals import CONFIDENCE

Answers = Correct | NDArray[np.float64]


def accuracy(correct: Correct) -> Estimate:
    """Return the share of correct answers, with the interval of Agresti and Coull (1998).

    They add two correct and two wrong answers before computing it.
    """
    estimate = _estimate(correct.mean(axis=0), added=4, total=2.0, squares=2.0)
    return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high))


def difference(first: Answers, second: Answers) -> Estimate:
    """Return how much more accurate the first model is than the second, paired by example.

    Where several models share a replicate, an answer may be the share of them that are correct.

    The interval is that of Agresti and Min (2005), who add half a pair to each cell of the table of
    pairs.  Raises ValueError when the shapes differ.
    """
    if first.shape != second.shape:
        raise ValueError(f"unpaired answers: shapes {first.shape} and {second.shape}")
    return _estimate(first.mean(axis=0) - second.mean(axis=0), added=2, total=0.0, squares=1.0)


def _estimate(values: NDArray[np.float64], added: int, total: float, squares: float) -> Estimate:
    """Return the mean of ``values``; its interval is that of these and ``added`` pseudo-values.

    ``total`` and ``squares`` are the sum and the sum of squares of the pseudo-values.
    """
    number = len(values) + added
    centre = (values.sum() + total) / number
    variance = (np.square(values).sum() + squares) / number - centre**2
    reach = ndtri((1 + CONFIDENCE) / 2) * np.sqrt(variance / number)
    return Estimate(float(values.mean()), float(centre - reach), float(centre + reach))
