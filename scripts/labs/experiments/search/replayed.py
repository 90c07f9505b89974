"""What replayed searches say of samplers: the best so far, repeats, and which one is ahead.

A table of replays is (searches, trials) numbers of architectures; that of values is (searches,
trials) accuracies. The unit is the search, that is, the sampler's seed.
"""

import numpy as np
from numpy.typing import NDArray

from labs.analysis.statistics import Estimate, normal
from labs.records.names.intervals import CONFIDENCE

Values = NDArray[np.float64]
Orders = NDArray[np.int64]


def running_best(values: Values) -> Values:
    """Return the best value up to each trial of every search."""
    found: Values = np.maximum.accumulate(values, axis=1)
    return found


def repeated(orders: Orders) -> NDArray[np.bool_]:
    """Return for each trial whether its search has tried that architecture before."""
    return np.array(
        [[one in order[:place] for place, one in enumerate(order)] for order in orders.tolist()]
    )


def band(values: Values) -> tuple[Values, Values]:
    """Return the bounds, trial by trial, between which CONFIDENCE of the searches lie."""
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, [tail, 1 - tail], axis=0)
    return low, high


def mean(groups: list[Values]) -> Estimate:
    """Return the mean of several groups' means; the interval is over the searches of each."""
    means = [float(group.mean()) for group in groups]
    variances = [float(group.var(ddof=1)) / len(group) for group in groups]
    return _estimate(means, variances)


def difference(first: list[Values], second: list[Values]) -> Estimate:
    """Return by how much the mean of the first groups is above that of the second ones."""
    means, variances = [], []
    for one, other in zip(first, second, strict=True):
        means.append(float(one.mean() - other.mean()))
        variances.append(sum(float(each.var(ddof=1)) / len(each) for each in (one, other)))
    return _estimate(means, variances)


def superiority(pairs: list[tuple[Values, Values]]) -> Estimate:
    """Return how likely a search of the first kind is ahead of one of the second, ties half.

    It is the mean over the pairs of groups. The interval is of each search's placement among those
    of the other kind (DeLong, DeLong and Clarke-Pearson, 1988).
    """
    means, variances = [], []
    for first, second in pairs:
        wins = (first[:, None] > second) + (first[:, None] == second) / 2
        placements = wins.mean(axis=1), wins.mean(axis=0)
        means.append(float(wins.mean()))
        variances.append(sum(float(one.var(ddof=1)) / len(one) for one in placements))
    return _estimate(means, variances)


def _estimate(means: list[float], variances: list[float]) -> Estimate:
    """Return the mean of independent estimates, with a normal interval."""
    return normal(float(np.mean(means)), sum(variances) / len(means) ** 2)
