"""What the search's record says of samplers: replayed on what was trained, with many seeds each."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, with_interval
from labs.analysis.points import Points
from labs.analysis.statistics import Estimate
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import SAMPLERS, TRIAL, read
from labs.experiments.search.replayed import Orders, Values
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.records.record import Record

ANALYSIS = Analysis("search")

SPOKEN = {GRID: "grid", RANDOM: "random", TPE: "TPE"}
PAIRS = ((TPE, RANDOM), (TPE, GRID), (GRID, RANDOM))
"""The samplers that are compared: how often the first one is ahead of the second."""

STARTUP, HALF, END = "startup", "half", "end"


class Replays:
    """The replays of a record: by sampler, one table a training seed."""

    def __init__(self, record: Record) -> None:
        points = Points(record, split="validation", arm=TRIAL)
        numbers = range(len(points.table(["number"])))
        self.accuracies = np.stack(
            [points.answers({"number": number}).mean(axis=1) for number in numbers], axis=1
        )
        """(training seeds, architectures)"""
        self.orders: dict[str, list[Orders]] = {
            name: [np.array(read(text)) for text in fact(record, "replays", name)]
            for name in SAMPLERS
        }

    @property
    def trials(self) -> int:
        """How many trials a replay has: as many as there are architectures."""
        return int(self.accuracies.shape[1])

    def values(self, sampler: str) -> list[Values]:
        """Return the accuracy at each trial: by training seed, (searches, trials)."""
        pairs = zip(self.accuracies, self.orders[sampler], strict=True)
        return [seed[orders] for seed, orders in pairs]

    def best(self, sampler: str) -> list[Values]:
        """Return the best accuracy so far at each trial: by training seed, (searches, trials)."""
        return [replays.running_best(values) for values in self.values(sampler)]

    def reached(self, sampler: str, trial: int) -> list[Values]:
        """Return the best accuracy of each search after so many trials, by training seed."""
        return [best[:, trial - 1] for best in self.best(sampler)]

    def repeats(self, sampler: str) -> list[Values]:
        """Return the share of each search's trials that repeat one, by training seed."""
        return [replays.repeated(orders).mean(axis=1) for orders in self.orders[sampler]]

    def superiority(self, first: str, second: str, trial: int) -> Estimate:
        """Return how likely the first sampler is ahead after so many trials."""
        pairs = zip(self.reached(first, trial), self.reached(second, trial), strict=True)
        return replays.superiority(list(pairs))


def moments(record: Record, trials: int) -> dict[str, int]:
    """Return the trials at which samplers are compared, by name: the last one TPE draws is one."""
    startup = min(record["spec"]["startup"], trials)
    return {STARTUP: startup, HALF: (trials + 1) // 2, END: trials}


def is_guided(record: Record, trials: int) -> bool:
    """Return whether searches of so many trials go beyond TPE's startup, which is random search."""
    return bool(record["spec"]["startup"] < trials)


def pair_name(first: str, second: str) -> str:
    """Return what a pair of samplers is called in values: "tpe-random"."""
    return f"{first}-{second}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about samplers that the report may quote, by name.

    The accuracy that a sampler has reached, and how likely it is ahead of another, are those after
    its startup, half of the trials, and all of them.
    """
    searched = Replays(record)
    found = {
        "search.sampler_seeds": exactly(record["spec"]["sampler_seeds"], "count"),
        "search.startup": exactly(record["spec"]["startup"], "count"),
    }
    at = moments(record, searched.trials)
    for name, trial in at.items():
        found[f"search.trials.{name}"] = exactly(trial, "count")
    for sampler in SAMPLERS:
        for name, trial in at.items():
            found[f"search.{sampler}.{name}"] = Value(
                replays.mean(searched.reached(sampler, trial)), "share"
            )
        found[f"search.{sampler}.repeats"] = Value(replays.mean(searched.repeats(sampler)), "share")
    for first, second in PAIRS:
        for name, trial in at.items():
            likely = searched.superiority(first, second, trial)
            found[f"search.{pair_name(first, second)}.{name}"] = Value(likely, "share")
    found |= _gaps(searched)
    if len(searched.accuracies) > 1:
        taus = [kendalltau(*pair).statistic for pair in combinations(searched.accuracies, 2)]
        found["search.rank_agreement"] = exactly(float(np.mean(taus)), "count")
    return found


def _gaps(searched: Replays) -> dict[str, Value]:
    """Return how far apart samplers are in the end: in accuracy, and in trials spent twice."""
    reached = {sampler: searched.reached(sampler, searched.trials) for sampler in SAMPLERS}
    order = sorted(SAMPLERS, key=lambda sampler: replays.mean(reached[sampler]).value)
    better = min((GRID, TPE), key=order.index)
    pairs = {
        "spread": (reached[order[-1]], reached[order[0]]),
        "random_behind": (reached[better], reached[RANDOM]),
        "grid_over_tpe": (reached[GRID], reached[TPE]),
        "more_repeats": (searched.repeats(TPE), searched.repeats(RANDOM)),
    }
    return {
        f"search.{name}": Value(replays.difference(*pair), "share") for name, pair in pairs.items()
    }


@ANALYSIS.table("search_trials")
def trial_table(record: Record) -> pd.DataFrame:
    """Return one row a sampler and trial: the best so far, that trial's accuracy, the repeats."""
    searched, found = Replays(record), []
    guided = is_guided(record, searched.trials)
    for sampler in SAMPLERS:
        best, each = (np.concatenate(v) for v in (searched.best(sampler), searched.values(sampler)))
        again = np.concatenate([replays.repeated(one) for one in searched.orders[sampler]])
        for trial in range(searched.trials):
            row = {
                "device": record["device"],
                "sampler": spoken(sampler, guided=guided),
                "trial": trial + 1,
            }
            for name, values in (("best", best), ("accuracy", each)):
                low, high = replays.band(values)
                middle = Estimate(float(values[:, trial].mean()), low[trial], high[trial])
                row |= with_interval(name, middle)
            found.append(row | {"repeated": again[:, trial].mean()})
    return pd.DataFrame(found)


@ANALYSIS.table("search_superiority")
def superiority_table(record: Record) -> pd.DataFrame:
    """Return one row a pair of samplers and trial: how likely the first one is ahead."""
    searched = Replays(record)
    guided = is_guided(record, searched.trials)
    names = {sampler: spoken(sampler, guided=guided) for sampler in SAMPLERS}
    return pd.DataFrame(
        {
            "device": record["device"],
            "pair": f"{names[first]} over {names[second]}",
            "trial": trial,
            **with_interval("probability", searched.superiority(first, second, trial)),
        }
        for first, second in PAIRS
        for trial in range(1, searched.trials + 1)
    )


def spoken(sampler: str, *, guided: bool) -> str:
    """Return what a sampler is called; a TPE that never learns is random search."""
    if sampler == TPE and not guided:
        return "TPE, all of it random"
    return SPOKEN[sampler]
