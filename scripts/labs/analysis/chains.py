"""How far chains differ: by what this run's say of it, and by what eight chains said once.

A chain is all that another person would train again. A run has two or four, and so few say little
about the next: the t interval of two has a single degree of freedom. So the variance is moderated
(Smyth, 2004): a prior of the kind of comparison counts as so many more degrees of freedom. The
prior was learnt from eight chains by ``tests/method/learn_chains.py``, which writes ``learned.py``.

What chains do to a comparison grows with how many answers it is about: beyond chance, the standard
deviation is a share of the answers in which the two models differ. Where these are a tenth of all
or more, one of the models may be broken, in one chain and not in the next. So an experiment has two
kinds of comparisons: of models that are near each other, and of models that are far apart.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import fdtri

from labs.analysis.learned import LEARNED

FAR = 0.1
"""Models that differ in a larger share of their answers are far apart."""

SURPRISING = 0.99
"""Where chains differ by more than so many of a hundred would by the prior, they count alone."""


@dataclass(frozen=True)
class Spread:
    """How a difference in accuracy varies from chain to chain."""

    kind: str
    """The experiment that made both models, and whether they are far apart."""
    chains: int
    value: float
    """The mean over the chains."""
    variance: float
    """Between the chains, which has one degree of freedom less than there are chains."""
    coins: float
    """The variance if chains differed in each review independently."""
    differing: float
    """The share of answers in which the two models differ."""

    def expected(self, share: float) -> float:
        """Return the variance that is expected where chains differ by a share of the answers."""
        return self.coins + (share * self.differing) ** 2

    def moderated(self) -> tuple[float, float]:
        """Return the variance between chains, and its degrees of freedom.

        Both are the chains' own where nothing was learnt of the kind, or where the chains differ so
        much that what was learnt cannot hold here.
        """
        own = self.chains - 1
        learned = LEARNED.get(self.kind)
        if learned is None:
            return self.variance, own
        prior = self.expected(learned.share)
        if self.variance > prior * fdtri(own, learned.freedom, SURPRISING):
            return self.variance, own
        both = own + learned.freedom
        return (own * self.variance + learned.freedom * prior) / both, both


def spread(gains: NDArray[np.float64], experiment: str) -> Spread:
    """Return how far chains differ in what one model gains over another: (chains, reviews)."""
    chains, reviews = gains.shape
    # Equal counts of right answers may hide a difference of up to half an answer.
    least = 1 / (2 * reviews) ** 2
    within = float(gains.var(axis=1).mean() - gains.mean(axis=0).var())
    differing = float(np.abs(gains).mean())
    return Spread(
        experiment if differing < FAR else f"{experiment}, far apart",
        chains,
        value=float(gains.mean()),
        variance=max(least, float(gains.mean(axis=1).var(ddof=1))),
        coins=max(least, within * chains / (chains - 1) / reviews),
        differing=differing,
    )
