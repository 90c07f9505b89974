"""What the search's record says of compression: what it costs, and what searching with it gains."""

from itertools import combinations

import numpy as np
import pandas as pd

from labs.analysis.accuracy import accuracy
from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, matching, rows
from labs.analysis.points import Case, Points
from labs.experiments.search import replayed as replays
from labs.experiments.search.names import COMPRESSED, CONTROL, OBJECTIVES, RETRAINED, TRIAL, WINNER
from labs.experiments.search.samplers.values import END, HALF, moments
from labs.experiments.search.stages import Stages
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")

SPOKEN = {
    TRIAL: "not compressed",
    COMPRESSED: "compressed",
    RETRAINED: "compressed, then trained",
    CONTROL: "not compressed, trained as long",
}
PAIRS = tuple(combinations(OBJECTIVES, 2))


def chosen(objective: str, stage: str) -> Case:
    """Return the winner for an objective, at a stage, as facts about the test split name it."""
    return {"arm": stage, "objective": objective}


COMPRESSED_WINNERS: dict[str, tuple[Case, Case]] = {
    "aware.compressed": (chosen(COMPRESSED, COMPRESSED), chosen(TRIAL, COMPRESSED)),
    "aware.retrained": (chosen(RETRAINED, RETRAINED), chosen(TRIAL, RETRAINED)),
    "over_winner": (chosen(RETRAINED, RETRAINED), {"arm": WINNER}),
    "over_control": (chosen(RETRAINED, RETRAINED), chosen(RETRAINED, CONTROL)),
}
"""Pairs compared on the test split: is the first more accurate than the second?"""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    stages, tested = Stages(record), Points(record, split="test")
    at = moments(record)
    costs = rows(record, "facts", name="core-seconds")
    costs = costs[costs["arm"].isin([COMPRESSED, RETRAINED])]
    values = {
        "epochs": counted(record["spec"]["compressed_epochs"], "count"),
        "cost": counted(costs["value"].sum(), "s"),
        "zeros": counted(np.mean(fact(record, "rounded to zero", COMPRESSED)), "share"),
        "lost": Quantity.of(stages.gain(TRIAL, COMPRESSED), "share"),
        "recovered": Quantity.of(stages.gain(RETRAINED, COMPRESSED), "share"),
        "left": Quantity.of(stages.gain(RETRAINED, TRIAL), "share"),
        f"sampler.{stages.sampler}": counted(at[HALF], "count"),
    }
    for stage in OBJECTIVES:
        values[stage] = Quantity.of(accuracy(stages.pooled(stage)), "share")
        for moment in (HALF, END):
            reached = replays.mean(stages.searches[stage].reached(at[moment]))
            values[f"{stage}.{moment}"] = Quantity.of(reached, "share")
    for first, second in PAIRS:
        taus = stages.agreement(first, second)
        # There is none for architectures that are all equally good.
        if np.isfinite(taus).all():
            values[f"tau.{first}-{second}"] = counted(float(np.mean(taus)), "count")
        values[f"ahead.{second}-{first}"] = Quantity.of(stages.ahead(second, first), "share")
    for name, pair in COMPRESSED_WINNERS.items():
        values[name] = tested.gain(*pair)
        values[f"{name}.models"] = counted(_models(record, pair), "count")
        for place, case in zip(("first", "second"), pair, strict=True):
            values[f"{name}.{place}"] = tested.accuracy(case)
    if repeatability := stages.repeatability():
        values["repeatability"] = Quantity.of(repeatability, "count")
    return {f"search.compression.{name}": value for name, value in values.items()}


def _models(record: Record, pair: tuple[Case, Case]) -> int:
    """Return how many models a pair is: one where both searches choose the same architecture."""
    tested = rows(record, "facts", name="correct", split="test")
    return len({(case["arm"], matching(tested, **case)["architecture"].iloc[0]) for case in pair})


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
