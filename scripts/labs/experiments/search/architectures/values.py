"""What the search's record says of architectures: each one, the winner, noise, and the space."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import chdtri

from labs.analysis.accuracy import accuracy
from labs.analysis.analysis import Analysis
from labs.analysis.frame import columns, fact, fact_by, rows
from labs.analysis.points import Points, described
from labs.analysis.seeds import Answers
from labs.analysis.values import Values
from labs.experiments.search.names import DEFAULT, SPACE, TRIAL, WINNER
from labs.records.names.intervals import CONFIDENCE
from labs.records.names.studies import GRID
from labs.records.quantity import Estimate, Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")
CHANCE = 0.5
KEYS = ["number", "architecture"]
FACTS = {"loss": "loss", "parameters": "parameters", "core-seconds": "core_seconds"}
"""What is known of each architecture beside its accuracy, and the columns of that."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    spec, table = record["spec"], architecture_table(record)
    seeds, costs = table["seeds"].iloc[0], table["core_seconds"]
    cost = costs.sum() * seeds
    values = {
        "architectures": counted(len(table), "count"),
        "seeds": counted(seeds, "count"),
        "max_length": counted(spec["max_length"], "count"),
        "cost": counted(cost, "s"),
        "cost.least": counted(costs.min(), "s"),
        "cost.most": counted(costs.max(), "s"),
        "worst": counted(table["accuracy"].min(), "share"),
        "overhead": counted(sum(fact(record, "asking", GRID)) / cost, "share"),
    }
    values |= _of_winner(record) | _of_space(record)
    return {f"search.{name}": value for name, value in values.items()}


def _of_winner(record: Record) -> dict[str, Quantity]:
    """Return how good the winner is on both splits, against BERT-tiny, and what noise there is."""
    validation, test = (Points(record, split=split) for split in ("validation", "test"))
    chosen, default = {"arm": WINNER}, {"arm": DEFAULT}
    answers = validation.answers(chosen), test.answers(chosen)
    trained = validation.answers(default)
    accuracies = trained.mean(axis=1)
    return {
        "winner.validation": validation.accuracy(chosen),
        "winner.test": test.accuracy(chosen),
        "winner.optimism": Quantity.of(drop(*answers), "share"),
        "winner.ahead": test.gain(chosen, default),
        "winner.different": counted(sum(fact(record, "different answers", WINNER)), "count"),
        "default.validation": validation.accuracy(default),
        "default.test": test.accuracy(default),
        "held_out": counted(answers[0].shape[1], "count"),
        "tested": counted(answers[1].shape[1], "count"),
        "noise_seeds": counted(len(trained), "count"),
        "noise": Quantity.of(deviation(accuracies), "share"),
        "noise.least": counted(accuracies.min(), "share"),
        "noise.most": counted(accuracies.max(), "share"),
        "noise.failed": counted(sum(map(is_chance, trained)), "count"),
    }


def _of_space(record: Record) -> dict[str, Quantity]:
    """Return how large the lab's space is, and what its two names for the layers change."""
    sizes = fact_by(record, "spelling", "architectures", SPACE)
    counts = {f"space.{spelling}": number for spelling, number in sizes.items()}
    for _, row in rows(record, "facts", name="parameters changed").iterrows():
        counts[f"field.{row['field']}"] = row["value"]
        counts[f"field.{row['field']}.choice"] = int(row["choice"])
    return {name: counted(number, "count") for name, number in counts.items()}


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
    value = float(values.std(ddof=1))
    tails = (1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2
    low, high = (value * float(np.sqrt(freedom / chdtri(freedom, tail))) for tail in tails)
    return Estimate(value, low, high, freedom)


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


@ANALYSIS.old_table_of_values("search_winner")
def winner_table(record: Record, values: Values) -> pd.DataFrame:
    """Return the winner and the default on the test split, with the winner's on validation."""
    tested = rows(record, "facts", name="correct", split="test").groupby("arm")["architecture"]
    return pd.DataFrame(
        {
            "architecture": tested.first()[arm],
            **columns(accuracy=values[f"search.{arm}.{split}"]),
            "device": record["device"],
            "model": arm,
            "split": split,
        }
        for arm, split in ((WINNER, "validation"), (WINNER, "test"), (DEFAULT, "test"))
    )
