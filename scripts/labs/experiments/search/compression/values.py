"""What the search's record says of compression: what it costs, and what searching with it gains."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import kendalltau

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, rows
from labs.analysis.points import CHOOSING, READING, Points
from labs.analysis.values import Part, Tree
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import COMPRESSED, CONTROL, OBJECTIVES, RETRAINED, TRIAL
from labs.experiments.search.replayed import Searches, Values
from labs.experiments.search.samplers.values import END, HALF, moments
from labs.records.names.intervals import CONFIDENCE
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search", "search.compression")

SPOKEN = {
    TRIAL: "not compressed",
    COMPRESSED: "compressed",
    RETRAINED: "compressed, then trained",
    CONTROL: "not compressed, trained as long",
}
PAIRS = tuple(combinations(OBJECTIVES, 2))
WINNERS = {
    "over_winner": ((RETRAINED, RETRAINED), (TRIAL, TRIAL)),
    "over_control": ((RETRAINED, RETRAINED), (RETRAINED, CONTROL)),
}
"""Pairs of models, each the winner for an objective, at a stage: is the first more accurate than
the second on the test split?"""


class Stages:
    """Every architecture's answers on validation at each stage, and the searches for the best.

    ``answers`` are (training seeds, architectures, reviews); all searches are by one ``sampler``.
    """

    def __init__(self, record: Record) -> None:
        self.answers = {stage: replays.answers(record, stage) for stage in OBJECTIVES}
        replayed = rows(record, "facts", name="replays", arm=COMPRESSED)
        self.sampler: str = replayed["sampler"].iloc[0]
        arms = {TRIAL: self.sampler, COMPRESSED: COMPRESSED, RETRAINED: RETRAINED}
        self.searches = {
            stage: Searches(self.answers[stage].mean(axis=2), replays.orders(record, arm))
            for stage, arm in arms.items()
        }

    def gain(self, first: str, second: str) -> Quantity:
        """Return how much more accurate all architectures are at one stage than at another.

        The interval is over reviews and training seeds.
        """
        return Quantity.of(
            difference(self.answers[first], self.answers[second], ANALYSIS.experiment), "points"
        )

    def ahead(self, first: str, second: str) -> Quantity:
        """Return how far the searches at one stage end above those at another.

        The interval is over reviews and training seeds: in the end most searches of one seed have
        found the same.
        """
        return Quantity.of(
            difference(self._ends(first), self._ends(second), ANALYSIS.experiment), "points"
        )

    def aware(self, stage: str) -> Quantity:
        """Return what choosing the best model at a stage gains there over choosing it before.

        Each training seed chooses for itself, among all architectures. The interval is over reviews
        and training seeds.
        """
        found = difference(
            self._chosen(stage, stage), self._chosen(stage, TRIAL), ANALYSIS.experiment
        )
        return Quantity.of(found, "points")

    def _chosen(self, stage: str, by: str) -> Values:
        """Return the answers at a stage of the best models by another: (training seeds, reviews).

        Each half of the reviews judges what the other half chose.
        """
        answers = self.answers[stage]
        found = np.empty(answers[:, 0].shape)
        for choosing, reading in ((CHOOSING, READING), (READING, CHOOSING)):
            best = self.answers[by][:, :, choosing].mean(axis=2).argmax(axis=1)
            found[:, reading] = answers[range(len(best)), best][:, reading]
        return found

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


@ANALYSIS.values
def values(record: Record) -> Tree:
    stages, at = Stages(record), moments(record)
    costs = rows(record, "facts", name="core-seconds")
    costs = costs[costs["arm"].isin([COMPRESSED, RETRAINED])]
    tree: dict[Part, Quantity | Tree] = {
        "epochs": counted(record["spec"]["compressed_epochs"]),
        "cost": counted(costs["value"].sum(), "s"),
        "zeros": counted(np.mean(fact(record, "rounded to zero", COMPRESSED)), "share"),
        "lost": stages.gain(TRIAL, COMPRESSED).as_loss(),
        "recovered": stages.gain(RETRAINED, COMPRESSED),
        "left": stages.gain(RETRAINED, TRIAL),
        "sampler": {stages.sampler: counted(at[HALF])},
        "ahead": {f"{second}-{first}": stages.ahead(second, first) for first, second in PAIRS},
        "aware": {stage: stages.aware(stage) for stage in (COMPRESSED, RETRAINED)},
        "tau": _taus(stages),
    }
    for stage, searches in stages.searches.items():
        tree[stage] = {
            "": Quantity.of(accuracy(stages.answers[stage]), "share"),
            END: replays.mean(searches.reached(at[END])),
        }
    if repeatability := stages.repeatability():
        tree["repeatability"] = repeatability
    return tree


def _taus(stages: Stages) -> Tree:
    """Return how alike stages rank the architectures, where these are not all equally good."""
    taus = {
        f"{first}-{second}": np.mean(stages.agreement(first, second)) for first, second in PAIRS
    }
    return {pair: counted(float(tau)) for pair, tau in taus.items() if np.isfinite(tau)}


@ANALYSIS.values
def of_winners(record: Record) -> Tree:
    """Return the differences of WINNERS, and the accuracies of both."""
    tested = Points(record, split="test")
    tree: dict[Part, Tree] = {}
    for name, pair in WINNERS.items():
        first, second = ({"objective": objective, "arm": stage} for objective, stage in pair)
        tree[name] = {
            "": tested.gain(first, second),
            "first": tested.accuracy(first),
            "second": tested.accuracy(second),
        }
    return tree


@ANALYSIS.table("search_objectives")
def objective_table(record: Record) -> pd.DataFrame:
    """Return one row an objective and trial: the best accuracy so far, with its band."""
    parts = [
        pd.DataFrame(
            {
                "device": record["device"],
                "objective": SPOKEN[stage],
                "trial": range(1, replays.trials(record) + 1),
                **replays.band("best", searches.best),
            }
        )
        for stage, searches in Stages(record).searches.items()
    ]
    return pd.concat(parts, ignore_index=True)


@ANALYSIS.table("search_stages")
def stage_table(record: Record) -> pd.DataFrame:
    """Return one row an architecture: its accuracy at each stage, its zeros after rounding."""
    facts = rows(record, "facts", name="rounded to zero")
    table = facts.groupby(["number", "architecture"])["value"].mean().reset_index(name="zeros")
    for stage, searches in Stages(record).searches.items():
        table[stage] = searches.accuracies.mean(axis=0)
    table = table[["number", "architecture", *OBJECTIVES, "zeros"]].assign(device=record["device"])
    return table.sort_values(RETRAINED, ascending=False, ignore_index=True)


@ANALYSIS.table("search_rankings")
def ranking_table(record: Record) -> pd.DataFrame:
    """Return one row a pair of stages and training seed: Kendall's tau of their rankings."""
    stages = Stages(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "pair": f"{SPOKEN[first]} and {SPOKEN[second]}",
            "replicate": seed,
            "tau": tau,
        }
        for first, second in PAIRS
        for seed, tau in enumerate(stages.agreement(first, second))
    )


@ANALYSIS.table("search_compressed_winners")
def winner_table(record: Record) -> pd.DataFrame:
    """Return one row a tested model: what it was chosen for, its stage, and its test accuracy."""
    parts = []
    for stage in (*OBJECTIVES, CONTROL):
        points = Points(record, split="test", arm=stage)
        parts.append(points.table(["objective", "architecture"]).assign(stage=SPOKEN[stage]))
    table = pd.concat(parts, ignore_index=True).sort_values(
        "objective", key=lambda column: column.map(OBJECTIVES.index), kind="stable"
    )
    return table.assign(objective=table["objective"].map(SPOKEN), device=record["device"])
