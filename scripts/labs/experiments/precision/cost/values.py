"""Accuracy against bits: fronts of searches, and bits shared out without a search."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import kendalltau

from labs.analysis.accuracy import difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact, rows
from labs.analysis.points import Points
from labs.analysis.values import Tree
from labs.experiments.precision.fronts import Point, front, hypervolume
from labs.experiments.precision.judged import BASELINE, Judged, Study, winner
from labs.experiments.precision.names import COST, DIRECT, GRADIENT, SAME, TEST, TRAINING
from labs.experiments.precision.searched.values import rises
from labs.records.quantity import Quantity, counted
from labs.records.record import Record
from labs.records.rows import Case

ANALYSIS = Analysis("precision")
SCORED = (DIRECT, GRADIENT)
WAYS = (*SCORED, SAME)
"""What a search is held to: models with at most as many bits as its winner."""


@ANALYSIS.values
def values(record: Record) -> Tree:
    judged = Judged(record)
    searches = penalized(judged)
    winners, test = [winner(study.name) for study in searches], judged.points[TEST]
    bits = [judged.mean("bits", split=TEST, **case) for case in winners]
    return {
        "volume": {
            study.name: counted(volumes(judged, study).mean(), "share") for study in of_two(judged)
        },
        "search_over": {
            way: _ahead(test, winners, [shared(way, study) for study in searches]) for way in WAYS
        },
        "penalized": {
            "bits": {"least": counted(bits[0], "bits"), "largest": counted(bits[-1], "bits")},
            "accuracy": {
                "least": test.accuracy(winners[0]),
                "largest": test.accuracy(winners[-1]),
            },
            "accuracy_lost": test.loss(winners[0], winners[-1]),
            "late_rise": counted(max(late_rise(judged, study) for study in searches), "points"),
        },
        "predicted": {way: {"miss": _miss(judged, way)} for way in SCORED},
        "scores": _of_scores(score_table(record)),
    }


def _ahead(points: Points, first: list[Case], second: list[Case]) -> Quantity:
    """Return how far models are ahead of others, on average over their pairs."""
    one, other = (np.stack([*map(points.answers, cases)], axis=1) for cases in (first, second))
    return Quantity.of(difference(one, other, ANALYSIS.experiment), "points")


def _miss(judged: Judged, way: str) -> Quantity:
    """Return the largest distance of what a way foretells from what is measured."""
    sums = pd.DataFrame([foretold(judged, way, study) for study in penalized(judged)])
    return counted((sums["predicted"] - sums["rise"]).abs().max(), "bits")


def _of_scores(scores: pd.DataFrame) -> Tree:
    """Return what a layer adds to the loss at the least width, and how far both ways agree."""
    width = scores["width"].min()
    alone = scores[scores["width"] == width][DIRECT]
    return {
        "bits": counted(width),
        "most": counted(alone.max(), "bits"),
        "median": counted(alone.median(), "bits"),
        "agreement": counted(kendalltau(scores[DIRECT], scores[GRADIENT]).statistic),
    }


def penalized(judged: Judged) -> list[Study]:
    """Return the searches that subtract bits from accuracy, the least penalty first."""
    searches = [study for study in judged.studies(COST) if not study.two]
    return sorted(searches, key=lambda study: study.penalty)


def late_rise(judged: Judged, study: Study) -> float:
    """Return the largest rise of a penalized search's best in the second half of its trials."""
    searched = judged.trials(study)
    return max(rises(searched, (int(searched["trial"].max()) + 1) // 2, study.penalty))


def of_two(judged: Judged) -> list[Study]:
    return [study for study in judged.studies(COST) if study.two]


def volumes(judged: Judged, study: Study, last: int | None = None) -> NDArray[np.float64]:
    """Return the hypervolume of each replicate's front after its first trials."""
    by_replicate = judged.trials(study).groupby("replicate")
    return np.array([hypervolume(points_of(searched)[:last]) for _, searched in by_replicate])


def points_of(searched: pd.DataFrame) -> Sequence[Point]:
    return list(zip(searched["accuracy"], searched["bits"], strict=True))


def shared(way: str, study: Study) -> Case:
    """Return the model that a way makes for the bits of a search's winner."""
    return {"arm": way, "study": study.name}


def foretold(judged: Judged, way: str, study: Study) -> dict[str, float]:
    """Return the rise of the loss on training reviews, in bits a review.

    ``predicted`` is that which a way's sum of scores foretells, ``rise`` the measured one.
    """
    before = float(np.mean(fact(judged.record, "training loss", DIRECT)))
    return {
        "predicted": float(np.mean(fact(judged.record, "predicted", way, study=study.name))),
        "rise": judged.mean("loss", split=TRAINING, **shared(way, study)) - before,
    }


@ANALYSIS.table("precision_volumes")
def volume_table(record: Record) -> pd.DataFrame:
    """Return one row per search by two objectives and trial: the mean hypervolume so far."""
    judged = Judged(record)
    return pd.DataFrame(
        {"sampler": study.name, "trial": last, "volume": volumes(judged, study, last).mean()}
        for study in of_two(judged)
        for last in range(1, int(judged.trials(study)["trial"].max()) + 1)
    ).assign(device=record["device"])


@ANALYSIS.table("precision_fronts")
def front_table(record: Record) -> pd.DataFrame:
    """Return one row per trial of the searches by two objectives; whether it is on the front."""
    judged, parts = Judged(record), []
    for study in of_two(judged):
        for _, searched in judged.trials(study).groupby("replicate"):
            points = points_of(searched)
            best = front(points)
            part = searched[["replicate", "trial", "accuracy", "bits"]]
            on_front = [point in best for point in points]
            parts.append(part.assign(on_front=on_front, sampler=study.name))
    return pd.concat(parts, ignore_index=True).assign(device=record["device"])


@ANALYSIS.table("precision_shared")
def shared_table(record: Record) -> pd.DataFrame:
    """Return one row per penalized search and way to share out as many bits, on the test split.

    ``predicted`` and ``rise`` are those of ``foretold``.
    """
    judged, table = Judged(record), []
    test = judged.points[TEST]
    for study in penalized(judged):
        for way in ("search", *WAYS):
            case = shared(way, study) if way in WAYS else winner(study.name)
            row = {"way": way, "penalty": study.penalty, "study": study.name}
            row["bits"] = judged.mean("bits", split=TEST, **case)
            row |= columns(accuracy=test.accuracy(case), ahead=test.gain(case, BASELINE))
            row["loss"] = judged.mean("loss", split=TEST, **case)
            if way in SCORED:
                row |= foretold(judged, way, study)
            table.append(row)
    return pd.DataFrame(table).assign(device=record["device"])


@ANALYSIS.table("precision_scores")
def score_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and format: what it adds to the loss alone, by both ways."""
    scores = rows(record, "facts", name="score").astype({"value": float})
    table = scores.pivot_table("value", ["layer", "spelled"], "arm", sort=False).reset_index()
    names = dict(zip(scores["layer"].unique(), Judged(record).layers(), strict=True))
    width = table["spelled"].str.split(" ").str[1].astype(int)
    return table.assign(layer=table["layer"].map(names), width=width, device=record["device"])
