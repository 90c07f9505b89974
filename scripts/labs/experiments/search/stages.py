"""Every architecture's answers before compression, after it, and after training again."""

from itertools import combinations

import numpy as np
from scipy.special import ndtri
from scipy.stats import kendalltau

from labs.analysis.accuracy import difference
from labs.analysis.frame import rows
from labs.analysis.points import seed_scatter
from labs.experiments.search.names import COMPRESSED, OBJECTIVES, RETRAINED, TRIAL
from labs.experiments.search.replayed import Searches, Values, answers, orders
from labs.records.names.intervals import CONFIDENCE
from labs.records.packed import Correct
from labs.records.quantity import Quantity
from labs.records.record import Record


class Stages:
    """Every architecture's answers on validation at each stage, and the searches for the best.

    ``answers`` are (training seeds, architectures, reviews); all searches are by one ``sampler``.
    """

    def __init__(self, record: Record) -> None:
        self.answers = {stage: answers(record, stage) for stage in OBJECTIVES}
        self._seeds = seed_scatter(record)
        replayed = rows(record, "facts", name="replays", arm=COMPRESSED)
        self.sampler: str = replayed["sampler"].iloc[0]
        arms = {TRIAL: self.sampler, COMPRESSED: COMPRESSED, RETRAINED: RETRAINED}
        self.searches = {
            stage: Searches(self.answers[stage].mean(axis=2), orders(record, arm))
            for stage, arm in arms.items()
        }

    def pooled(self, stage: str) -> Correct:
        """Return the answers of all trainings of all architectures: (trainings, reviews)."""
        answers = self.answers[stage]
        return answers.reshape(-1, answers.shape[2])

    def gain(self, first: str, second: str) -> Quantity:
        """Return how much more accurate all architectures are at one stage than at another.

        The interval is over reviews and trainings, those of all architectures alike.
        """
        found = difference(self.pooled(first), self.pooled(second), self._seeds)
        return Quantity.of(found, "share")

    def ahead(self, first: str, second: str) -> Quantity:
        """Return how far the searches at one stage end above those at another.

        The interval is over reviews and training seeds: in the end most searches of one seed have
        found the same.
        """
        found = difference(self._ends(first), self._ends(second), self._seeds)
        return Quantity.of(found, "share")

    def _ends(self, stage: str) -> Values:
        """Return the share of searches that end with a right answer: (training seeds, reviews)."""
        searches = self.searches[stage]
        seeds = zip(self.answers[stage], searches.accuracies, searches.orders, strict=True)
        return np.stack(
            [
                answers[[order[accuracies[order].argmax()] for order in orders]].mean(axis=0)
                for answers, accuracies, orders in seeds
            ]
        )

    def agreement(self, first: str, second: str) -> list[float]:
        """Return Kendall's tau between the rankings at two stages, by training seed."""
        accuracies = (self.searches[stage].accuracies for stage in (first, second))
        return [float(kendalltau(*pair).statistic) for pair in zip(*accuracies, strict=True)]

    def repeatability(self) -> Quantity | None:
        """Return how well one seed's costs of compression tell another's, as a correlation.

        It is the mean over all pairs of seeds; the interval is Fisher's, over the architectures.
        None for a single seed, or where it has none.
        """
        # Whole numbers of answers: equal costs are equal exactly.
        costs = self.answers[TRIAL].sum(axis=2) - self.answers[COMPRESSED].sum(axis=2)
        pairs = list(combinations(costs, 2))
        if not pairs or costs.shape[1] < 4 or not costs.std(axis=1).all():
            return None
        most = 1 - np.finfo(float).eps
        correlations = np.clip([np.corrcoef(*pair)[0, 1] for pair in pairs], -most, most)
        centre = float(np.arctanh(correlations).mean())
        reach = float(ndtri((1 + CONFIDENCE) / 2)) / np.sqrt(costs.shape[1] - 3)
        low, value, high = np.tanh([centre - reach, centre, centre + reach])
        return Quantity(float(value), float(low), float(high))
