"""What the search's record says of compression: what it costs, and what searching with it gains."""

from itertools import combinations

import numpy as np
import pandas as pd

from labs.analysis.accuracy import accuracy
from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, rows
from labs.analysis.points import Points
from labs.analysis.values import Part, Tree
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import COMPRESSED, CONTROL, OBJECTIVES, RETRAINED, TRIAL
from labs.experiments.search.samplers.values import END, HALF, moments
from labs.experiments.search.stages import Stages
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


COMPRESSED_WINNERS = {
    "aware.compressed": ((COMPRESSED, COMPRESSED), (TRIAL, COMPRESSED)),
    "aware.retrained": ((RETRAINED, RETRAINED), (TRIAL, RETRAINED)),
    "over_winner": ((RETRAINED, RETRAINED), (TRIAL, TRIAL)),
    "over_control": ((RETRAINED, RETRAINED), (RETRAINED, CONTROL)),
}
"""Pairs of models, each the winner for an objective, at a stage: is the first more accurate than
the second on the test split?"""


@ANALYSIS.values
def values(record: Record) -> Tree:
    stages, at = Stages(record), moments(record)
    costs = rows(record, "facts", name="core-seconds")
    costs = costs[costs["arm"].isin([COMPRESSED, RETRAINED])]
    tree: dict[Part, Quantity | Tree] = {
        "epochs": counted(record["spec"]["compressed_epochs"]),
        "cost": counted(costs["value"].sum(), "s"),
        "zeros": counted(np.mean(fact(record, "rounded to zero", COMPRESSED)), "share"),
        "lost": stages.gain(TRIAL, COMPRESSED),
        "recovered": stages.gain(RETRAINED, COMPRESSED),
        "left": stages.gain(RETRAINED, TRIAL),
        "sampler": {stages.sampler: counted(at[HALF])},
        "ahead": {f"{second}-{first}": stages.ahead(second, first) for first, second in PAIRS},
        "tau": _taus(stages),
    }
    for stage, searches in stages.searches.items():
        tree[stage] = {
            "": Quantity.of(accuracy(stages.pooled(stage)), "share"),
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
    """Return the differences of COMPRESSED_WINNERS, and how many models each pair consists of.

    It is one model where both searches choose the same architecture.
    """
    tested = Points(record, split="test")
    facts = rows(record, "facts", name="correct", split="test")
    architectures = facts.groupby(["objective", "arm"])["architecture"].first()
    tree: dict[Part, Tree] = {}
    for name, pair in COMPRESSED_WINNERS.items():
        first, second = ({"objective": objective, "arm": stage} for objective, stage in pair)
        tree[name] = {
            "": tested.gain(first, second),
            "first": tested.accuracy(first),
            "second": tested.accuracy(second),
            "models": counted(len({(stage, architectures[one, stage]) for one, stage in pair})),
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
