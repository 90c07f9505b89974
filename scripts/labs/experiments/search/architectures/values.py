"""What the search's record says of architectures: each one, the winner, noise, and the space."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtri

from labs.analysis.accuracy import Answers, accuracy
from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact, fact_by, rows
from labs.analysis.points import Points, described
from labs.analysis.rates import rate_table, rate_values
from labs.analysis.values import Tree, Values
from labs.experiments.search.names import DEFAULT, SPACE, TRIAL, WINNER
from labs.records.names.intervals import CONFIDENCE
from labs.records.names.studies import GRID
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")
ANALYSIS.values(rate_values)
ANALYSIS.table("search_rates")(rate_table)
CHANCE = 0.5
KEYS = ["number", "architecture"]
FACTS = {"loss": "loss", "parameters": "parameters", "core-seconds": "core_seconds"}
"""What is known of each architecture beside its accuracy, and the columns of that."""


@ANALYSIS.values
def values(record: Record) -> Tree:
    spec, table = record["spec"], architecture_table(record)
    seeds, costs = table["seeds"].iloc[0], table["core_seconds"]
    cost = costs.sum() * seeds
    return {
        "architectures": counted(len(table)),
        "seeds": counted(seeds),
        "max_length": counted(spec["max_length"]),
        "cost": {
            "": counted(cost, "s"),
            "least": counted(costs.min(), "s"),
            "most": counted(costs.max(), "s"),
        },
        "overhead": counted(sum(fact(record, "asking", GRID)) / cost, "share"),
    }


@ANALYSIS.values
def of_winner(record: Record) -> Tree:
    """Return how good the winner is on both splits, against BERT-tiny, and what noise there is."""
    validation, test = (Points(record, split=split) for split in ("validation", "test"))
    chosen, default = {"arm": WINNER}, {"arm": DEFAULT}
    trained = validation.answers(default)
    accuracies = trained.mean(axis=1)
    return {
        "winner": {
            "validation": validation.accuracy(chosen),
            "test": test.accuracy(chosen),
            "ahead": test.gain(chosen, default),
            "different": counted(sum(fact(record, "different answers", WINNER))),
        },
        "default": {"test": test.accuracy(default)},
        "held_out": counted(trained.shape[1]),
        "noise_seeds": counted(len(trained)),
        "noise": {
            "": deviation(accuracies),
            "least": counted(accuracies.min(), "share"),
            "most": counted(accuracies.max(), "share"),
            "failed": counted(sum(map(is_chance, trained))),
        },
    }


@ANALYSIS.values
def of_space(record: Record) -> Tree:
    """Return how large the lab's space is, and what its two names for the layers change."""
    sizes = fact_by(record, "spelling", "architectures", SPACE)
    changed = rows(record, "facts", name="parameters changed")
    return {
        "space": {spelling: counted(number) for spelling, number in sizes.items()},
        "field": {
            field: {"": counted(number), "choice": counted(int(choice))}
            for field, number, choice in changed[["field", "value", "choice"]].values
        },
    }


def is_chance(correct: Answers) -> bool:
    """Return whether a model may be as good as a coin, for all that its answers say."""
    return accuracy(correct[None]).low <= CHANCE


def deviation(accuracies: NDArray[np.float64]) -> Quantity:
    """Return the standard deviation of seeds, with its chi-squared interval."""
    freedom = len(accuracies) - 1
    value = float(accuracies.std(ddof=1))
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = (value * float(np.sqrt(freedom / chdtri(freedom, tail))) for tail in tails)
    return Quantity(value, low, high, freedom, "points")


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


@ANALYSIS.table_of_values("search_winner")
def winner_table(record: Record, values: Values) -> pd.DataFrame:
    """Return the winner and the default on the test split, with the winner's on validation."""
    tested = rows(record, "facts", name="correct", split="test").groupby("arm")["architecture"]
    return pd.DataFrame(
        {
            "architecture": tested.first()[arm],
            **columns(accuracy=values[arm, split]),
            "device": record["device"],
            "model": arm,
            "split": split,
        }
        for arm, split in ((WINNER, "validation"), (WINNER, "test"), (DEFAULT, "test"))
    )
