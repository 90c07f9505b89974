"""What the search's record says of architectures: each one, the winner, noise, and the space."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtri

from labs.analysis.accuracy import accuracy
from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, rows
from labs.analysis.points import Points, described
from labs.analysis.seeds import Answers
from labs.analysis.statistics import Estimate
from labs.experiments.search.names import DEFAULT, SPACE, TRIAL, WINNER
from labs.records.names.intervals import CONFIDENCE
from labs.records.names.studies import GRID
from labs.records.record import Record

ANALYSIS = Analysis("search")
CHANCE = 0.5
KEYS = ["number", "architecture"]
FACTS = {"loss": "loss", "parameters": "parameters", "core-seconds": "core_seconds"}
"""What is known of each architecture beside its accuracy, and the columns of that."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    spec, table = record["spec"], architecture_table(record)
    found = {
        "search.architectures": exactly(len(table), "count"),
        "search.seeds": exactly(table["seeds"].iloc[0], "count"),
        "search.max_length": exactly(spec["max_length"], "count"),
        "search.cost": exactly(table["core_seconds"].sum() * table["seeds"].iloc[0], "s"),
        "search.cost.least": exactly(table["core_seconds"].min(), "s"),
        "search.cost.most": exactly(table["core_seconds"].max(), "s"),
        "search.worst": exactly(table["accuracy"].min(), "share"),
    }
    asking = sum(fact(record, "asking", GRID))
    found["search.overhead"] = exactly(asking / found["search.cost"].estimate.value, "share")
    return found | _of_winner(record) | _of_space(record)


def _of_winner(record: Record) -> dict[str, Value]:
    """Return how good the winner is on both splits, against BERT-tiny, and what noise there is."""
    validation, test = (Points(record, split=split) for split in ("validation", "test"))
    chosen, default = {"arm": WINNER}, {"arm": DEFAULT}
    seen = validation.answers(chosen), test.answers(chosen)
    seeds = validation.answers(default).mean(axis=1)
    return {
        "search.winner.validation": validation.accuracy(chosen),
        "search.winner.test": test.accuracy(chosen),
        "search.winner.optimism": Value(drop(*seen), "share"),
        "search.winner.ahead": test.gain(chosen, default),
        "search.winner.different": exactly(sum(fact(record, "different answers", WINNER)), "count"),
        "search.default.validation": validation.accuracy(default),
        "search.default.test": test.accuracy(default),
        "search.held_out": exactly(seen[0].shape[1], "count"),
        "search.tested": exactly(seen[1].shape[1], "count"),
        "search.noise_seeds": exactly(len(seeds), "count"),
        "search.noise": Value(deviation(seeds), "share"),
        "search.noise.least": exactly(float(seeds.min()), "share"),
        "search.noise.most": exactly(float(seeds.max()), "share"),
        "search.noise.failed": exactly(sum(map(is_chance, validation.answers(default))), "count"),
    }


def _of_space(record: Record) -> dict[str, Value]:
    """Return how large the lab's space is, and what its two wrong names change."""
    found = {}
    for spelling in ("published", "meant"):
        (number,) = fact(record, "architectures", SPACE, spelling=spelling)
        found[f"search.space.{spelling}"] = exactly(number, "count")
    for _, row in rows(record, "facts", name="parameters changed").iterrows():
        found[f"search.field.{row['field']}"] = exactly(row["value"], "count")
        found[f"search.field.{row['field']}.choice"] = exactly(int(row["choice"]), "count")
    return found


def drop(validation: Answers, test: Answers) -> Estimate:
    """Return how much more accurate a model is on one set of reviews than on another.

    The interval joins both sets' own (Newcombe, 1998). It does not know that the model was chosen
    for the first: what is left above zero is the choice's doing.
    """
    first, second = accuracy(validation), accuracy(test)
    value = first.value - second.value
    low = np.hypot(first.value - first.low, second.high - second.value)
    high = np.hypot(first.high - first.value, second.value - second.low)
    return Estimate(value, float(value - low), float(value + high))


def is_chance(correct: Answers) -> bool:
    """Return whether a model may be as good as a coin, for all that its answers say."""
    return accuracy(correct[None]).low <= CHANCE


def deviation(values: NDArray[np.float64]) -> Estimate:
    """Return the standard deviation of seeds, with its chi-squared interval."""
    freedom = len(values) - 1
    found = float(values.std(ddof=1))
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = (found * float(np.sqrt(freedom / chdtri(freedom, tail))) for tail in tails)
    return Estimate(found, low, high, freedom)


@ANALYSIS.table("search_architectures")
def architecture_table(record: Record) -> pd.DataFrame:
    """Return one row an architecture, the best first: accuracy, loss, size and cost."""
    table = described(record, KEYS, FACTS, arm=TRIAL)
    table["seeds"] = len(Points(record, split="validation", arm=TRIAL).answers({"number": 0}))
    table["device"] = record["device"]
    return table.sort_values(["accuracy", "number"], ascending=[False, True], ignore_index=True)


@ANALYSIS.table("search_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row an architecture and training seed: its accuracy on validation."""
    points = Points(record, split="validation", arm=TRIAL)
    return points.replicates(KEYS).assign(device=record["device"])


@ANALYSIS.table("search_noise")
def noise_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed of the default architecture: its accuracy on validation."""
    points = Points(record, split="validation", arm=DEFAULT)
    return points.replicates(["architecture"]).assign(device=record["device"])


@ANALYSIS.table("search_winner")
def winner_table(record: Record) -> pd.DataFrame:
    """Return the winner and the default on the test split, with the winner's on validation."""
    parts = []
    for arm, split in ((WINNER, "validation"), (WINNER, "test"), (DEFAULT, "test")):
        table = Points(record, split=split, arm=arm).table(["architecture"])
        parts.append(table.assign(device=record["device"], model=arm, split=split))
    return pd.concat(parts, ignore_index=True)
