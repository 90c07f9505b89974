"""What the search's record says of samplers: replayed on what was trained, with many seeds each."""

from itertools import combinations

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns
from labs.analysis.values import Part, Tree
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import SAMPLERS, TRIAL
from labs.experiments.search.replayed import Searches
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.records.quantity import Quantity, counted
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
    """Return the trials at which samplers are compared, by name: the end of the startup is one."""
    trials = replays.trials(record)
    startup = min(record["spec"]["startup"], trials)
    return {STARTUP: startup, HALF: (trials + 1) // 2, END: trials}


def spoken(record: Record, trials: int) -> dict[str, str]:
    """Return what samplers are called; TPE that never ends its startup is random search."""
    guided = record["spec"]["startup"] < trials
    return SPOKEN if guided else SPOKEN | {TPE: "TPE, all of it random"}


@ANALYSIS.values
def values(record: Record) -> Tree:
    """Return what the samplers reach, and how likely one is ahead, at each of the moments."""
    searches, spec, at = searches_of(record), record["spec"], moments(record)
    reached = {
        name: {moment: found.reached(trial) for moment, trial in at.items()}
        for name, found in searches.items()
    }
    worst, middle, best = sorted(SAMPLERS, key=lambda name: replays.mean(reached[name][END]).value)
    lesser = middle if worst == RANDOM else worst

    def ahead(first: str, second: str) -> Quantity:
        return replays.difference(reached[first][END], reached[second][END])

    tree: dict[Part, Quantity | Tree] = {
        "sampler_seeds": counted(spec["sampler_seeds"]),
        "startup": counted(spec["startup"]),
        "trials": {moment: counted(trial) for moment, trial in at.items()},
        "spread": ahead(best, worst),
        "random_behind": ahead(lesser, RANDOM).as_loss(),
        "grid_over_tpe": ahead(GRID, TPE),
        "more_repeats": replays.difference(searches[TPE].repeats, searches[RANDOM].repeats),
    }
    for name, found in searches.items():
        means: Tree = {moment: replays.mean(reached[name][moment]) for moment in at}
        tree[name] = {"repeats": replays.mean(found.repeats), **means}
    for first, second in PAIRS:
        tree[f"{first}-{second}"] = {
            moment: replays.superiority(reached[first][moment], reached[second][moment])
            for moment in at
        }
    accuracies = searches[GRID].accuracies
    if len(accuracies) > 1:
        taus = [kendalltau(*pair).statistic for pair in combinations(accuracies, 2)]
        tree["rank_agreement"] = counted(float(np.mean(taus)))
    return tree


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
    trials = replays.trials(record)
    names = spoken(record, trials)
    reached = {
        name: [searches.reached(trial) for trial in range(1, trials + 1)]
        for name, searches in searches_of(record).items()
    }
    return pd.DataFrame(
        {
            "device": record["device"],
            "pair": f"{names[first]} over {names[second]}",
            "trial": trial,
            **columns(probability=replays.superiority(*groups)),
        }
        for first, second in PAIRS
        for trial, groups in enumerate(zip(reached[first], reached[second], strict=True), start=1)
    )
