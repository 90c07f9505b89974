"""Accuracy against bits: fronts of searches, and bits shared out without a search."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, rows, slug, with_interval
from labs.analysis.statistics import mean
from labs.experiments.precision.fronts import front, hypervolume
from labs.experiments.precision.judged import BASELINE, Case, Judged, trials, winner
from labs.experiments.precision.names import COST, DIRECT, GRADIENT, SAME, TEST, TRAINING
from labs.experiments.precision.searched.values import rises
from labs.experiments.precision.studies import Study, layers, studies
from labs.records.names.studies import RANDOM
from labs.records.record import Record

ANALYSIS = Analysis("precision")
WAYS = (DIRECT, GRADIENT, SAME)
"""What a search is held to: models with at most as many bits as its winner."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    judged = Judged(record)
    found = {}
    for study in of_two(record):
        share = float(np.mean(volumes(judged, study)))
        found[f"precision.volume.{study.name}"] = exactly(share, "share")
        if study.name != RANDOM:
            more = mean(gains_over_random(judged, study))
            found[f"precision.volume.{study.name}.over_random"] = Value(more, "share")
    for way in WAYS:
        searched, others = [list(cases) for cases in zip(*pairs(record, way), strict=True)]
        name = f"precision.search_over.{slug(way)}"
        found[name] = Value(judged.mean_gain(TEST, searched, others), "share")
    bits = [judged.mean("bits", split=TEST, **winner(study.name)) for study in penalized(record)]
    found["precision.penalized.most_bits"] = exactly(max(bits), "bits")
    found["precision.penalized.least_bits"] = exactly(min(bits), "bits")
    found["precision.penalized.bits_saved"] = exactly(bits[0] - bits[-1], "bits")
    ends = judged.gain(TEST, winner(penalized(record)[0].name), winner(penalized(record)[-1].name))
    found["precision.penalized.accuracy_lost"] = ends
    found["precision.penalized.late_rise"] = exactly(max(late_rises(record)), "share")
    scores = score_table(record)
    narrowest = scores[scores["width"] == scores["width"].min()]
    alone = narrowest.set_index("layer")[DIRECT]
    found["precision.scores.bits"] = exactly(int(narrowest["width"].iloc[0]), "count")
    found["precision.scores.most"] = exactly(float(alone.max()), "bits")
    found["precision.scores.median"] = exactly(float(alone.median()), "bits")
    tau = kendalltau(scores[DIRECT], scores[GRADIENT]).statistic
    found["precision.scores.agreement"] = exactly(float(tau), "count")
    shared = shared_table(record)
    for way in (DIRECT, GRADIENT):
        mine = shared[shared["way"] == way]
        miss = (mine["predicted"] - mine["rise"]).abs().max()
        found[f"precision.predicted.{way}.miss"] = exactly(float(miss), "bits")
    return found


def penalized(record: Record) -> list[Study]:
    """Return the searches that subtract bits from accuracy, the least penalty first."""
    found = [study for study in studies(record, COST) if not study.two]
    return sorted(found, key=lambda study: study.penalty)


def late_rises(record: Record) -> list[float]:
    """Return by how much each penalized search's best rose in the second half of its trials."""
    judged, found = Judged(record), []
    for study in penalized(record):
        searched = trials(judged, study.name)
        half = (int(searched["trial"].max()) + 1) // 2
        found += rises(searched, half, study.penalty)
    return found


def of_two(record: Record) -> list[Study]:
    """Return the searches by two objectives."""
    return [study for study in studies(record, COST) if study.two]


def volumes(judged: Judged, study: Study, last: int | None = None) -> list[float]:
    """Return the hypervolume of each replicate's front after its first trials."""
    found = trials(judged, study.name)
    return [
        hypervolume(list(zip(mine["accuracy"][:last], mine["bits"][:last], strict=True)))
        for _, mine in found.groupby("replicate")
    ]


def gains_over_random(judged: Judged, study: Study) -> list[float]:
    """Return by how much a search's hypervolume is above random search's, by replicate."""
    random = Study(RANDOM, COST, study.choices, 0.0, two=True)
    both = zip(volumes(judged, study), volumes(judged, random), strict=True)
    return [mine - other for mine, other in both]


def pairs(record: Record, way: str) -> list[tuple[Case, Case]]:
    """Return the winner of each penalized search, and the model that a way makes for its bits."""
    return [(winner(study.name), {"arm": way, "study": study.name}) for study in penalized(record)]


@ANALYSIS.table("precision_volumes")
def volume_table(record: Record) -> pd.DataFrame:
    """Return one row per search by two objectives and trial: the mean hypervolume so far."""
    judged = Judged(record)
    return pd.DataFrame(
        {"sampler": study.name, "trial": last, "volume": np.mean(volumes(judged, study, last))}
        for study in of_two(record)
        for last in range(1, int(trials(judged, study.name)["trial"].max()) + 1)
    ).assign(device=record["device"])


@ANALYSIS.table("precision_fronts")
def front_table(record: Record) -> pd.DataFrame:
    """Return one row per trial of the searches by two objectives; whether it is on the front."""
    judged, parts = Judged(record), []
    for study in of_two(record):
        for _, mine in trials(judged, study.name).groupby("replicate"):
            best = front(list(zip(mine["accuracy"], mine["bits"], strict=True)))
            kept = [point in best for point in zip(mine["accuracy"], mine["bits"], strict=True)]
            parts.append(mine[["replicate", "trial", "accuracy", "bits"]].assign(on_front=kept))
            parts[-1]["sampler"] = study.name
    return pd.concat(parts, ignore_index=True).assign(device=record["device"])


@ANALYSIS.table("precision_shared")
def shared_table(record: Record) -> pd.DataFrame:
    """Return one row per penalized search and way to share out as many bits, on the test split.

    ``predicted`` is the rise of the loss on training reviews that a way's sum foretells, in bits a
    review; ``rise`` is the measured one.
    """
    judged, found = Judged(record), []
    for study in penalized(record):
        ways: Sequence[tuple[str, Case]] = [
            ("search", winner(study.name)),
            *((way, {"arm": way, "study": study.name}) for way in WAYS),
        ]
        for way, case in ways:
            row = {"way": way, "penalty": study.penalty, "study": study.name}
            row["bits"] = judged.mean("bits", split=TEST, **case)
            row |= with_interval("accuracy", judged.accuracy(TEST, case).estimate)
            row |= with_interval("ahead", judged.gain(TEST, case, BASELINE).estimate)
            row["loss"] = judged.mean("loss", split=TEST, **case)
            told = fact(record, "predicted", way, study=study.name)
            if told:
                before = float(np.mean(fact(record, "training loss", DIRECT)))
                row["predicted"] = float(np.mean(told))
                row["rise"] = judged.mean("loss", split=TRAINING, **case) - before
            found.append(row)
    return pd.DataFrame(found).assign(device=record["device"])


@ANALYSIS.table("precision_scores")
def score_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and format: what it adds to the loss alone, by both ways."""
    scores = rows(record, "facts", name="score")
    scores = scores.assign(value=scores["value"].astype(float))
    mean = scores.pivot_table("value", ["layer", "spelled"], "arm", sort=False).reset_index()
    names = dict(zip(scores["layer"].unique(), layers(record), strict=True))
    mean["layer"] = mean["layer"].map(names)
    mean["width"] = mean["spelled"].str.split(" ").str[1].astype(int)
    mean.columns.name = None
    return mean.assign(device=record["device"])
