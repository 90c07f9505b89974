"""What the search's record says of samplers: replayed on what was trained, with many seeds each."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import with_interval
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import SAMPLERS, TRIAL
from labs.experiments.search.replayed import Searches
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.records.quantity import Estimate, Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")

SPOKEN = {GRID: "grid", RANDOM: "random", TPE: "TPE"}
PAIRS = ((TPE, RANDOM), (TPE, GRID), (GRID, RANDOM))
"""The samplers that are compared: how often the first one is ahead of the second."""

STARTUP, HALF, END = "startup", "half", "end"


def searches_of(record: Record) -> dict[str, Searches]:
    """Return the searches for the best architecture without compression, by sampler."""
    accuracies = replays.answers(record, TRIAL).mean(axis=2)
    return {name: Searches(accuracies, replays.orders(record, name)) for name in SAMPLERS}


def moments(record: Record) -> dict[str, int]:
    """Return the trials at which samplers are compared, by name: the last one TPE draws is one."""
    trials = replays.trials(record)
    startup = min(record["spec"]["startup"], trials)
    return {STARTUP: startup, HALF: (trials + 1) // 2, END: trials}


def is_guided(record: Record, trials: int) -> bool:
    """Return whether searches of so many trials go beyond TPE's startup, which is random search."""
    return bool(record["spec"]["startup"] < trials)


def spoken(record: Record, trials: int) -> dict[str, str]:
    """Return what samplers are called; in searches of so many trials TPE may be random search."""
    return SPOKEN if is_guided(record, trials) else SPOKEN | {TPE: "TPE, all of it random"}


def pair_name(first: str, second: str) -> str:
    """Return what a pair of samplers is called in values: "tpe-random"."""
    return f"{first}-{second}"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    """Return every number about samplers that the report may quote, by name.

    The accuracy that a sampler has reached, and how likely it is ahead of another, are those after
    its startup, half of the trials, and all of them.
    """
    searches, spec, at = searches_of(record), record["spec"], moments(record)
    counts = {"sampler_seeds": spec["sampler_seeds"], "startup": spec["startup"]}
    counts |= {f"trials.{moment}": trial for moment, trial in at.items()}
    estimates = {f"{name}.repeats": replays.mean(searches[name].repeats) for name in SAMPLERS}
    for moment, trial in at.items():
        for name in SAMPLERS:
            estimates[f"{name}.{moment}"] = replays.mean(searches[name].reached(trial))
        for first, second in PAIRS:
            likely = searches[first].superiority(searches[second], trial)
            estimates[f"{pair_name(first, second)}.{moment}"] = likely
    estimates |= _gaps(searches, at[END])
    accuracies = searches[GRID].accuracies
    if len(accuracies) > 1:
        taus = [kendalltau(*pair).statistic for pair in combinations(accuracies, 2)]
        counts["rank_agreement"] = float(np.mean(taus))
    return {f"search.{name}": counted(count, "count") for name, count in counts.items()} | {
        f"search.{name}": Quantity.of(estimate, "share") for name, estimate in estimates.items()
    }


def _gaps(searches: Mapping[str, Searches], trials: int) -> dict[str, Estimate]:
    """Return how far apart samplers are in the end: in accuracy, and in trials spent twice."""
    reached = {name: searches[name].reached(trials) for name in SAMPLERS}
    worst, middle, best = sorted(SAMPLERS, key=lambda name: replays.mean(reached[name]).value)
    behind = middle if worst == RANDOM else worst
    pairs = {
        "spread": (reached[best], reached[worst]),
        "random_behind": (reached[behind], reached[RANDOM]),
        "grid_over_tpe": (reached[GRID], reached[TPE]),
        "more_repeats": (searches[TPE].repeats, searches[RANDOM].repeats),
    }
    return {name: replays.difference(*pair) for name, pair in pairs.items()}


@ANALYSIS.table("search_trials")
def trial_table(record: Record) -> pd.DataFrame:
    """Return one row a sampler and trial: the best so far, that trial's accuracy, the repeats."""
    trials = replays.trials(record)
    names = spoken(record, trials)
    parts = [
        pd.DataFrame(
            {
                "device": record["device"],
                "sampler": names[sampler],
                "trial": range(1, trials + 1),
                **replays.band("best", searches.best),
                **replays.band("accuracy", searches.each),
                "repeated": replays.repeated(np.concatenate(searches.orders)).mean(axis=0),
            }
        )
        for sampler, searches in searches_of(record).items()
    ]
    return pd.concat(parts, ignore_index=True)


@ANALYSIS.table("search_superiority")
def superiority_table(record: Record) -> pd.DataFrame:
    """Return one row a pair of samplers and trial: how likely the first one is ahead."""
    searches, trials = searches_of(record), replays.trials(record)
    names = spoken(record, trials)
    return pd.DataFrame(
        {
            "device": record["device"],
            "pair": f"{names[first]} over {names[second]}",
            "trial": trial,
            **with_interval("probability", searches[first].superiority(searches[second], trial)),
        }
        for first, second in PAIRS
        for trial in range(1, trials + 1)
    )
