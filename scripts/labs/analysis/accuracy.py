"""Accuracy over examples: its interval, and the paired difference between two models.

Inputs are (replicates, n) booleans, one replicate per seed, of a training or of a whole chain of
them: whether each example was classified correctly. Of an accuracy, and of the difference between
two models, the unit is the example: replicates are averaged first, so an interval says how far
other examples could move the result, for the models that were trained. Of a difference between two
ways to train it says how far other examples and other seeds could move it together.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from labs.analysis.seeds import Answers, Scatter, by_coins
from labs.analysis.statistics import standard_error
from labs.records.names.intervals import CONFIDENCE
from labs.records.quantity import Estimate


def accuracy(correct: Answers) -> Estimate:
    """Return the share of correct answers, with the interval of Agresti and Coull (1998).

    They add two correct and two wrong answers before computing it.
    """
    estimate = _estimate(correct.mean(axis=0), added=4, total=2.0, squares=2.0)
    return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high))


def difference(first: Answers, second: Answers, seeds: Scatter | None = None) -> Estimate:
    """Return how much more accurate the first model is than the second, paired by example.

    Where several models share a replicate, an answer may be the share of them that are correct.

    The interval is that of Agresti and Min (2005), who add half a pair to each cell of the table of
    pairs. With ``seeds``, both models stand for ways to train, and it is widened by what other
    seeds could change. Raises ValueError when the shapes differ.
    """
    if first.shape != second.shape:
        raise ValueError(f"unpaired answers: shapes {first.shape} and {second.shape}")
    gains = np.subtract(first, second, dtype=float)
    found = _estimate(gains.mean(axis=0), added=2, total=0.0, squares=1.0)
    return _over_seeds(found, gains, seeds) if seeds and by_coins(gains) else found


def _over_seeds(found: Estimate, gains: NDArray[np.float64], seeds: Scatter) -> Estimate:
    """Return an estimate over examples with the interval over examples and seeds.

    Both are random effects and crossed, as the readers and the cases of a medical test: the
    variance of the mean is that between seeds, over their number, plus what all seeds have in
    common over examples, and its degrees of freedom are Satterthwaite's (Obuchowski and Rockette,
    1995; Hillis, 2007). The variance between seeds is moderated by that of all points.
    """
    between, freedom = seeds.moderate(gains)
    over_examples = standard_error(found) ** 2
    common = max(0.0, over_examples - by_coins(gains) / len(gains))
    of_seeds = between / len(gains)
    # An interval over both is never narrower than that over examples alone.
    variance = max(of_seeds + common, over_examples)
    freedom *= (variance / of_seeds) ** 2
    middle = (found.low + found.high) / 2
    reach = stdtrit(freedom, (1 + CONFIDENCE) / 2) * np.sqrt(variance)
    return Estimate(found.value, float(middle - reach), float(middle + reach), float(freedom))


def _estimate(values: NDArray[np.float64], added: int, total: float, squares: float) -> Estimate:
    """Return the mean of ``values``; its interval is that of these and ``added`` pseudo-values.

    ``total`` and ``squares`` are the sum and the sum of squares of the pseudo-values.
    """
    number = len(values) + added
    centre = (values.sum() + total) / number
    variance = (np.square(values).sum() + squares) / number - centre**2
    reach = ndtri((1 + CONFIDENCE) / 2) * np.sqrt(variance / number)
    return Estimate(float(values.mean()), float(centre - reach), float(centre + reach))
