"""Every architecture's answers before compression, after it, and after training again."""

from itertools import combinations

import numpy as np
from scipy.special import ndtri
from scipy.stats import kendalltau

from labs.analysis.accuracy import difference
from labs.analysis.frame import fact, rows
from labs.analysis.points import Points, seed_scatter
from labs.analysis.statistics import Estimate
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import COMPRESSED, OBJECTIVES, RETRAINED, TRIAL, read
from labs.experiments.search.replayed import Orders, Values
from labs.records.answers import Correct
from labs.records.names.intervals import CONFIDENCE
from labs.records.record import Record


class Stages:
    """Every architecture's answers on validation at each stage, and the searches for the best."""

    def __init__(self, record: Record) -> None:
        self.answers: dict[str, Correct] = {}
        """By stage: (training seeds, architectures, reviews)"""
        for stage in OBJECTIVES:
            points = Points(record, split="validation", arm=stage)
            numbers = range(len(points.table(["number"])))
            found = [points.answers({"number": number}) for number in numbers]
            self.answers[stage] = np.stack(found, axis=1)
        self.seeds = seed_scatter(record)
        replayed = rows(record, "facts", name="replays", arm=COMPRESSED)
        self.sampler: str = replayed["sampler"].iloc[0]
        """The one that all searches here are by."""
        texts = {stage: fact(record, "replays", stage) for stage in (COMPRESSED, RETRAINED)}
        texts[TRIAL] = fact(record, "replays", self.sampler)
        self._orders: dict[str, list[Orders]] = {
            stage: [np.array(read(text)) for text in texts[stage]] for stage in OBJECTIVES
        }

    @property
    def trials(self) -> int:
        """How many trials a search has."""
        return int(self.answers[TRIAL].shape[1])

    def accuracies(self, stage: str) -> Values:
        """Return the accuracy of each architecture: (training seeds, architectures)."""
        found: Values = self.answers[stage].mean(axis=2)
        return found

    def best(self, stage: str) -> list[Values]:
        """Return the best accuracy so far at each trial: by training seed, (searches, trials)."""
        pairs = zip(self.accuracies(stage), self._orders[stage], strict=True)
        return [replays.running_best(seed[orders]) for seed, orders in pairs]

    def reached(self, stage: str, trial: int) -> list[Values]:
        """Return the best accuracy of each search after so many trials, by training seed."""
        return [best[:, trial - 1] for best in self.best(stage)]

    def gain(self, first: str, second: str) -> Estimate:
        """Return how much more accurate all architectures are at one stage than at another.

        The interval is over reviews and trainings, those of all architectures alike.
        """
        one, other = (self.answers[stage] for stage in (first, second))
        reviews = one.shape[2]
        return difference(one.reshape(-1, reviews), other.reshape(-1, reviews), self.seeds)

    def ahead(self, first: str, second: str) -> Estimate:
        """Return how far the searches at one stage end above those at another.

        The interval is over reviews and training seeds: in the end most searches of one seed have
        found the same.
        """
        return difference(self._ends(first), self._ends(second), self.seeds)

    def _ends(self, stage: str) -> Values:
        """Return the share of searches that end with a right answer: (training seeds, reviews)."""
        pairs = zip(self.answers[stage], self.accuracies(stage), self._orders[stage], strict=True)
        return np.stack(
            [
                answers[[order[accuracies[order].argmax()] for order in orders]].mean(axis=0)
                for answers, accuracies, orders in pairs
            ]
        )

    def agreement(self, first: str, second: str) -> list[float]:
        """Return Kendall's tau between the rankings at two stages, by training seed."""
        pairs = zip(self.accuracies(first), self.accuracies(second), strict=True)
        return [float(kendalltau(*pair).statistic) for pair in pairs]

    def repeatability(self) -> Estimate | None:
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
        found = np.clip([np.corrcoef(*pair)[0, 1] for pair in pairs], -most, most)
        centre = float(np.arctanh(found).mean())
        reach = float(ndtri((1 + CONFIDENCE) / 2)) / np.sqrt(costs.shape[1] - 3)
        low, value, high = np.tanh([centre - reach, centre, centre + reach])
        return Estimate(float(value), float(low), float(high))
