"""What the search's record says of compression: what it costs, and what searching with it gains."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.special import ndtri
from scipy.stats import kendalltau

from labs.analysis.accuracy import accuracy, difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, rows, with_interval
from labs.analysis.points import Case, Points
from labs.analysis.search import replays
from labs.analysis.search.replays import Orders, Values
from labs.analysis.search.samplers import END, HALF, moments
from labs.analysis.statistics import Estimate
from labs.records.answers import Correct
from labs.records.names.intervals import CONFIDENCE
from labs.records.names.search import (
    COMPRESSED,
    CONTROL,
    OBJECTIVES,
    RETRAINED,
    TRIAL,
    WINNER,
    read,
)
from labs.records.record import Record

ANALYSIS = Analysis("search")

SPOKEN = {
    TRIAL: "not compressed",
    COMPRESSED: "compressed",
    RETRAINED: "compressed, then trained",
    CONTROL: "not compressed, trained as long",
}
PAIRS = tuple(combinations(OBJECTIVES, 2))

COMPRESSED_WINNERS: dict[str, tuple[Case, Case]] = {
    "aware.compressed": (
        {"arm": COMPRESSED, "objective": COMPRESSED},
        {"arm": COMPRESSED, "objective": TRIAL},
    ),
    "aware.retrained": (
        {"arm": RETRAINED, "objective": RETRAINED},
        {"arm": RETRAINED, "objective": TRIAL},
    ),
    "over_winner": ({"arm": RETRAINED, "objective": RETRAINED}, {"arm": WINNER}),
    "over_control": (
        {"arm": RETRAINED, "objective": RETRAINED},
        {"arm": CONTROL, "objective": RETRAINED},
    ),
}
"""What is compared on the test split: the first is asked to be more accurate than the second."""


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
        facts = rows(record, "facts")
        replayed = facts[(facts["name"] == "replays") & (facts["arm"] == COMPRESSED)]
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
        """Return how much more accurate all architectures are at one stage than at another."""
        one, other = (self.answers[stage] for stage in (first, second))
        return difference(*(a.reshape(-1, a.shape[2]) for a in (one, other)))

    def gains(self, first: str, second: str) -> list[float]:
        """Return the same for each training seed on its own."""
        found = self.accuracies(first) - self.accuracies(second)
        return list(found.mean(axis=1))

    def ahead(self, first: str, second: str) -> Estimate:
        """Return how far the searches at one stage end above those at another.

        The interval is over the reviews: in the end most searches have found the same.
        """
        return difference(self._ends(first), self._ends(second))

    def aheads(self, first: str, second: str) -> list[float]:
        """Return the same for each training seed on its own."""
        return list(self._ends(first).mean(axis=1) - self._ends(second).mean(axis=1))

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


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about compression that the report may quote, by name."""
    stages, tested = Stages(record), Points(record, split="test")
    at = moments(record, stages.trials)
    costs = rows(record, "facts")
    costs = costs[(costs["name"] == "core-seconds") & costs["arm"].isin([COMPRESSED, RETRAINED])]
    found = {
        "epochs": exactly(record["spec"]["compressed_epochs"], "count"),
        "cost": exactly(costs["value"].sum(), "s"),
        "zeros": exactly(np.mean(fact(record, "rounded to zero", COMPRESSED)), "share"),
        "lost": Value(stages.gain(TRIAL, COMPRESSED), "share"),
        "recovered": Value(stages.gain(RETRAINED, COMPRESSED), "share"),
        "left": Value(stages.gain(RETRAINED, TRIAL), "share"),
        f"sampler.{stages.sampler}": exactly(at[HALF], "count"),
    }
    for stage in OBJECTIVES:
        answers = stages.answers[stage]
        found[stage] = Value(accuracy(answers.reshape(-1, answers.shape[2])), "share")
        for moment in (HALF, END):
            reached = replays.mean(stages.reached(stage, at[moment]))
            found[f"{stage}.{moment}"] = Value(reached, "share")
    for first, second in PAIRS:
        taus = stages.agreement(first, second)
        # There is none for architectures that are all equally good.
        if np.isfinite(taus).all():
            found[f"tau.{first}-{second}"] = exactly(float(np.mean(taus)), "count")
        found[f"ahead.{second}-{first}"] = Value(stages.ahead(second, first), "share")
    for name, pair in COMPRESSED_WINNERS.items():
        found[name] = tested.gain(*pair)
        for place, case in zip(("first", "second"), pair, strict=True):
            found[f"{name}.{place}"] = tested.accuracy(case)
    repeatability = stages.repeatability()
    if repeatability:
        found["repeatability"] = Value(repeatability, "count")
    return {f"search.compression.{name}": value for name, value in found.items()}


def is_same_model(record: Record, name: str) -> bool:
    """Return whether both models of COMPRESSED_WINNERS are one: both searches chose alike."""
    facts = rows(record, "facts")
    facts = facts[(facts["name"] == "correct") & (facts["split"] == "test")]
    models = set()
    for case in COMPRESSED_WINNERS[name]:
        chosen = facts
        for key, wanted in case.items():
            chosen = chosen[chosen[key] == wanted]
        models.add((case["arm"], chosen["architecture"].iloc[0]))
    return len(models) == 1


@ANALYSIS.table("search_objectives")
def objective_table(record: Record) -> pd.DataFrame:
    """Return one row an objective and trial: the best accuracy so far, with its band."""
    stages, found = Stages(record), []
    for stage in OBJECTIVES:
        best = np.concatenate(stages.best(stage))
        low, high = replays.band(best)
        for trial in range(stages.trials):
            middle = Estimate(float(best[:, trial].mean()), low[trial], high[trial])
            row = {"device": record["device"], "objective": SPOKEN[stage], "trial": trial + 1}
            found.append(row | with_interval("best", middle))
    return pd.DataFrame(found)


@ANALYSIS.table("search_stages")
def stage_table(record: Record) -> pd.DataFrame:
    """Return one row an architecture: its accuracy at each stage, its zeros after rounding."""
    table = Points(record, split="validation", arm=TRIAL).table(["number", "architecture"])
    table = table[["number", "architecture"]].sort_values("number", ignore_index=True)
    stages, facts = Stages(record), rows(record, "facts")
    for stage in OBJECTIVES:
        table[stage] = stages.accuracies(stage).mean(axis=0)
    zeros = facts[facts["name"] == "rounded to zero"].groupby("number")["value"].mean()
    table["zeros"] = table["number"].map(zeros)
    table["device"] = record["device"]
    return table.sort_values(RETRAINED, ascending=False, ignore_index=True)


@ANALYSIS.table("search_rankings")
def ranking_table(record: Record) -> pd.DataFrame:
    """Return one row a pair of stages and training seed: Kendall's tau of their rankings."""
    stages = Stages(record)
    return pd.DataFrame(
        [
            {
                "device": record["device"],
                "pair": f"{SPOKEN[first]} and {SPOKEN[second]}",
                "replicate": seed,
                "tau": tau,
            }
            for first, second in PAIRS
            for seed, tau in enumerate(stages.agreement(first, second))
        ]
    )


@ANALYSIS.table("search_compressed_winners")
def winner_table(record: Record) -> pd.DataFrame:
    """Return one row a tested model: what it was chosen for, its stage, and its test accuracy."""
    parts = []
    for stage in (*OBJECTIVES, CONTROL):
        points = Points(record, split="test", arm=stage)
        parts.append(points.table(["objective", "architecture"]).assign(stage=SPOKEN[stage]))
    table = pd.concat(parts, ignore_index=True)
    table["order"] = table["objective"].map({one: n for n, one in enumerate(OBJECTIVES)})
    table["objective"] = table["objective"].map(SPOKEN)
    table["device"] = record["device"]
    return table.sort_values("order", kind="stable", ignore_index=True).drop(columns="order")
