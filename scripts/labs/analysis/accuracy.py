"""Accuracy over examples: its interval, and the paired difference between two models.

Inputs are arrays of zeros and ones, or shares, whose last axis are the examples: whether each was
classified correctly. The first axis are the chains: each is all that another person would train
again, from a seed of its own. Whatever lies between them are points of a chain. They share what it
began with, so they are averaged first, and the chain is the unit.

An interval of an accuracy says how far other examples could move it, for the models that were
trained; one of a difference says how far other examples and other chains could move it together.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from labs.analysis.chains import Spread, spread
from labs.analysis.statistics import standard_error
from labs.records.names.intervals import CONFIDENCE
from labs.records.quantity import Estimate

Answers = NDArray[np.bool_] | NDArray[np.float64]


def accuracy(correct: Answers) -> Estimate:
    """Return the share of correct answers, with the interval of Agresti and Coull (1998).

    They add two correct and two wrong answers before computing it.
    """
    estimate = _estimate(_by_chain(correct).mean(axis=0), added=4, total=2.0, squares=2.0)
    return Estimate(estimate.value, max(0.0, estimate.low), min(1.0, estimate.high))


def difference(first: Answers, second: Answers, experiment: str) -> Estimate:
    """Return how much more accurate the first model is than the second, paired by example.

    Of one chain, or where all chains give the same, the interval is that of Agresti and Min (2005),
    who add half a pair to each cell of the table of pairs. Of several it is widened by what other
    chains could change, by what was learnt of the ``experiment`` that made the models (chains.py).
    A model that is the same in all chains may be given once. Raises ValueError when the examples
    differ.
    """
    if first.shape[-1] != second.shape[-1]:
        raise ValueError(f"unpaired answers: shapes {first.shape} and {second.shape}")
    gains = _by_chain(np.subtract(first, second, dtype=float))
    found = _estimate(gains.mean(axis=0), added=2, total=0.0, squares=1.0)
    if len(gains) == 1:
        return found
    # Also where it is not used: learn_chains.py listens here.
    seen = spread(gains, experiment)
    return found if (gains == gains[0]).all() else _over_chains(found, seen)


def _by_chain(values: Answers) -> NDArray[np.float64]:
    """Return the mean over the points of each chain: (chains, reviews)."""
    chains, reviews = values.shape[0], values.shape[-1]
    found: NDArray[np.float64] = values.reshape(chains, -1, reviews).mean(axis=1)
    return found


def _over_chains(found: Estimate, seen: Spread) -> Estimate:
    """Return an estimate over examples with the interval over examples and chains.

    Both are random effects and crossed, as the readers and the cases of a medical test (Obuchowski
    and Rockette, 1995): the variance of the mean is that between chains, over their number, plus
    what all chains have in common over examples. Howe (1974) adds the squares of the reaches of
    both. That covers with two chains too, where the variance of their sum with Satterthwaite's
    degrees of freedom does not.
    """
    between, freedom = seen.moderated()
    over_examples = standard_error(found) ** 2
    common = max(0.0, over_examples - seen.coins / seen.chains)
    share = (1 + CONFIDENCE) / 2
    of_chains = stdtrit(freedom, share) ** 2 * between / seen.chains
    # An interval over both is never narrower than that over examples alone.
    square = max(of_chains + ndtri(share) ** 2 * common, ndtri(share) ** 2 * over_examples)
    # For intervals of other levels: Satterthwaite's degrees of freedom, of the squared reaches.
    freedom *= (square / of_chains) ** 2
    middle, reach = (found.low + found.high) / 2, np.sqrt(square)
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
