"""How far another training seed moves an accuracy, learnt from all points of a record.

Two trainings that differ in their seed answer some reviews differently. If each of these fell to
either training by its own coin, their accuracies would scatter by little; that they scatter by more
is their overdispersion. A few trainings of a point say little of it, and points differ: where the
model still works there is hardly any, and where it begins to fail there is much. Smyth (2004)
moderates each estimate by those of all others, taken as draws from a scaled inverse chi-squared
distribution: the more alike the points are, the more a point learns from the rest.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.stats import f as fisher

Answers = NDArray[np.bool_] | NDArray[np.float64]

WEAK = 3.0
"""The degrees of freedom that the search for those of the prior starts from."""

BOUNDS = [(None, None), (np.log(0.5), np.log(1000.0))]
"""Of the logarithms of the prior's scale and degrees of freedom."""


@dataclass(frozen=True)
class Scatter:
    """The prior of the overdispersion: the variance between seeds over that of the coins.

    It has the weight of ``prior`` degrees of freedom, many where all points are alike. ``pooled``
    are those of all points together: no moderated variance has more.
    """

    overdispersion: float
    prior: float
    pooled: float

    def moderate(self, values: Answers) -> tuple[float, float]:
        """Return the moderated variance between seeds of the means of (seeds, reviews) values.

        The second number is its degrees of freedom.
        """
        freedom = len(values) - 1
        own, coins = values.mean(axis=1).var(ddof=1), by_coins(values)
        weight = self.prior / (self.prior + freedom)
        variance = weight * self.overdispersion * coins + (1 - weight) * own
        return float(variance), min(self.prior + freedom, self.pooled)


def scatter(points: Iterable[Answers]) -> Scatter | None:
    """Return how far seeds scatter, by (seeds, reviews) answers; None without a point of several.

    Points whose trainings answer alike say nothing, and of points with the same answers one counts.
    """
    found = list({one.tobytes(): one for one in points if by_coins(one) > 0}.values())
    if not found:
        return None
    freedoms = np.array([len(one) - 1.0 for one in found])
    ratios = np.array([_between(one) / by_coins(one) for one in found])
    return Scatter(*_prior(ratios, freedoms), pooled=float(freedoms.sum()))


def by_coins(values: Answers) -> float:
    """Return the variance of each seed's mean if seeds differed in each review independently."""
    seeds, reviews = values.shape
    # Also of a single seed. Rounding would make something of nothing.
    if (values == values[0]).all():
        return 0.0
    within = float(values.var(axis=1).mean() - values.mean(axis=0).var())
    return max(0.0, within) * float(seeds / (seeds - 1) / reviews)


def _between(answers: Answers) -> float:
    """Return the variance between seeds; as many right answers are equal to within half of one."""
    return max(float(answers.mean(axis=1).var(ddof=1)), float(1 / (2 * answers.shape[1]) ** 2))


def _prior(ratios: NDArray[np.float64], freedoms: NDArray[np.float64]) -> tuple[float, float]:
    """Return scale and degrees of freedom of the prior that make the ratios most likely.

    Under it a ratio over the scale has an F distribution.
    """

    def unlikeliness(logs: NDArray[np.float64]) -> float:
        scale, prior = np.exp(logs)
        return -float(fisher.logpdf(ratios, freedoms, prior, scale=scale).sum())

    start = np.log([np.median(ratios), WEAK])
    scale, prior = np.exp(minimize(unlikeliness, start, bounds=BOUNDS).x)
    return float(scale), float(prior)
