"""Replayed searches: the best so far, repeats, and which sampler is ahead.

The unit is the search, that is, the sampler's seed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from labs.analysis.frame import fact, rows
from labs.analysis.points import Points
from labs.analysis.statistics import normal
from labs.experiments.search.names import TRIAL, read
from labs.records.names.intervals import CONFIDENCE
from labs.records.packed import Correct
from labs.records.quantity import Quantity
from labs.records.record import Record

Values = NDArray[np.float64]
Orders = NDArray[np.int64]


def trials(record: Record) -> int:
    """Return how many trials a search of the grid has: one for each of its architectures."""
    return int(rows(record, "facts", name="correct", arm=TRIAL)["number"].nunique())


def answers(record: Record, stage: str) -> Correct:
    """Return the answers on validation: (training seeds, architectures, reviews)."""
    points = Points(record, split="validation", arm=stage)
    numbers = range(trials(record))
    return np.stack([points.answers({"number": number}) for number in numbers], axis=1)


def orders(record: Record, arm: str) -> list[Orders]:
    """Return what searches tried, as numbers of architectures: by seed, (searches, trials)."""
    return [np.array(read(text)) for text in fact(record, "replays", arm)]


@dataclass(frozen=True)
class Searches:
    """Searches by one sampler, replayed on what was trained with each training seed.

    ``accuracies`` are those of the architectures, (training seeds, architectures), and ``orders``
    what the searches tried, by training seed.
    """

    accuracies: Values
    orders: list[Orders]

    @property
    def each(self) -> list[Values]:
        """The accuracy at each trial: by training seed, (searches, trials)."""
        return [seed[order] for seed, order in zip(self.accuracies, self.orders, strict=True)]

    @property
    def best(self) -> list[Values]:
        """The best accuracy so far at each trial, in the same shape."""
        return [np.maximum.accumulate(values, axis=1) for values in self.each]

    @property
    def repeats(self) -> list[Values]:
        """The share of each search's trials that repeat one, by training seed."""
        return [repeated(order).mean(axis=1) for order in self.orders]

    def reached(self, trial: int) -> list[Values]:
        """Return the best accuracy of each search after so many trials, by training seed."""
        return [best[:, trial - 1] for best in self.best]


def repeated(orders: Orders) -> NDArray[np.bool_]:
    """Return for each trial whether its search has tried that architecture before."""
    same = orders[:, :, None] == orders[:, None, :]
    found: NDArray[np.bool_] = np.tril(same, -1).any(axis=2)
    return found


def band(column: str, groups: list[Values]) -> dict[str, Values]:
    """Return the mean of all searches at each trial as a column, beside the bounds of a band.

    CONFIDENCE of the searches lie in it.
    """
    searches = np.concatenate(groups)
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(searches, [tail, 1 - tail], axis=0)
    # Searches that reach the same have exactly that as their mean, which numpy's axis would round.
    means = np.array([trial.mean() for trial in searches.T])
    return {column: means, f"{column}_low": low, f"{column}_high": high}


def mean(groups: list[Values]) -> Quantity:
    """Return the mean of several groups' means; the interval is over the searches of each."""
    return _share([group.mean() for group in groups], map(_variance, groups))


def difference(first: list[Values], second: list[Values]) -> Quantity:
    """Return by how much the mean of the first groups is above that of the second ones."""
    pairs = list(zip(first, second, strict=True))
    means = [above.mean() - below.mean() for above, below in pairs]
    found = _share(means, (sum(map(_variance, pair)) for pair in pairs))
    return replace(found, unit="points")


def superiority(first: list[Values], second: list[Values]) -> Quantity:
    """Return how likely a search of the first kind is ahead of one of the second, ties half.

    It is the mean over pairs of groups. The interval is of each search's placement among those
    of the other kind (DeLong, DeLong and Clarke-Pearson, 1988).
    """
    means, variances = [], []
    for above, below in zip(first, second, strict=True):
        wins = (above[:, None] > below) + (above[:, None] == below) / 2
        means.append(wins.mean())
        variances.append(sum(_variance(wins.mean(axis=axis)) for axis in (1, 0)))
    return _share(means, variances)


def _variance(group: Values) -> float:
    """Return the variance of the group's mean."""
    return float(group.var(ddof=1)) / len(group)


def _share(means: list[float], variances: Iterable[float]) -> Quantity:
    """Return the mean of independent estimates, with a normal interval."""
    return Quantity.of(normal(float(np.mean(means)), sum(variances) / len(means) ** 2), "share")
