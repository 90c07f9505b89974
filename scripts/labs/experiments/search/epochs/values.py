"""What the search's record says of the winner that was trained for more epochs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labs.analysis.accuracy import difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import Points, seed_scatter
from labs.analysis.seeds import Answers
from labs.analysis.statistics import normal
from labs.experiments.search.names import EPOCHS
from labs.records.packed import unpack_losses
from labs.records.quantity import Estimate, Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search")

Losses = NDArray[np.float64]

CHOOSING, READING = slice(0, None, 2), slice(1, None, 2)
"""Every other review of validation says which point is best; the rest say by how much. On the same
reviews chance alone would make any other point worse."""


class Epochs:
    """The winner's training: by training seed, what was seen at each point of validation."""

    def __init__(self, record: Record) -> None:
        facts = rows(record, "facts", arm=EPOCHS)
        self.batches = int(matching(facts, name="batches")["value"].iloc[0])
        """Of an epoch."""
        losses = matching(facts, name="losses").sort_values(["process", "step"])
        self.seeds = sorted(losses["process"].unique())
        self.steps = sorted(losses["step"].unique())
        validated = np.stack([unpack_losses(text) for text in losses["value"]])
        self.losses: Losses = validated.reshape(len(self.seeds), len(self.steps), -1)
        """(training seeds, points, reviews), in bits"""
        points = Points(record, split="validation", arm=EPOCHS)
        self.correct = np.stack([points.answers({"step": step}) for step in self.steps], axis=1)
        """(training seeds, points, reviews)"""
        ordered = matching(facts, name="loss", split="train").sort_values(["process", "step"])
        self.trained: Losses = ordered["value"].to_numpy(dtype=float).reshape(len(self.seeds), -1)
        """The loss of each batch before its step: (training seeds, steps), in bits"""

    def epochs_at(self, point: int) -> float:
        """Return after how many epochs a point was taken."""
        return float(self.steps[point] / self.batches)

    def lowest(self) -> list[int]:
        """Return the point with the lowest validation loss, by training seed."""
        return list(self.losses[:, :, CHOOSING].mean(axis=2).argmin(axis=1))

    def highest(self) -> list[int]:
        """Return the point with the highest validation accuracy, by training seed."""
        return list(self.correct[:, :, CHOOSING].mean(axis=2).argmax(axis=1))

    def rises(self) -> Losses:
        """Return each review's loss at the end above that at the lowest point: (seeds, reviews)."""
        rises: Losses = self.losses[:, -1] - self.losses[range(len(self.seeds)), self.lowest()]
        return rises[:, READING]

    def answers(self, points: Sequence[int]) -> Answers:
        """Return the answers at a point of all seeds, or one of each: (seeds, reviews)."""
        return self.correct[range(len(self.seeds)), points][:, READING]

    def has_halves(self) -> bool:
        """Return whether both halves of the first epoch have batches enough for an interval."""
        return self.batches >= 4

    def halves(self) -> tuple[Losses, Losses]:
        """Return the training losses in the first and in the second half of the first epoch."""
        middle = self.batches // 2
        return self.trained[:, :middle], self.trained[:, middle : self.batches]


def mean(values: Losses) -> Estimate:
    """Return the mean of (seeds, reviews) values, its interval over the reviews."""
    by_review = values.mean(axis=0)
    return normal(by_review.mean(), by_review.var(ddof=1) / len(by_review))


def above(first: Losses, second: Losses) -> Estimate:
    """Return how far the mean of one set of batches is above another's; the unit is the batch."""
    variance = sum(losses.var(ddof=1) / losses.size for losses in (first, second))
    return normal(first.mean() - second.mean(), variance)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    seen = Epochs(record)
    lowest = [seen.epochs_at(point) for point in seen.lowest()]
    losses = seen.losses[:, :, READING].mean(axis=2)
    highest, last, first_epoch = (
        seen.answers(points) for points in (seen.highest(), [-1], [seen.steps.index(seen.batches)])
    )
    seeds = seed_scatter(record)
    first, second = seen.halves()
    values = {
        "epochs": counted(record["spec"]["more_epochs"], "count"),
        "batches": counted(seen.batches, "count"),
        "held_out": counted(seen.losses.shape[2], "count"),
        "seeds": counted(len(seen.seeds), "count"),
        "lowest.first": counted(min(lowest), "count"),
        "lowest.last": counted(max(lowest), "count"),
        "lowest.loss": counted(losses[range(len(losses)), seen.lowest()].mean(), "count"),
        "last.loss": counted(losses[:, -1].mean(), "count"),
        "rise": Quantity.of(mean(seen.rises()), "count"),
        "fall": Quantity.of(difference(highest, last, seeds), "share"),
        "gain": Quantity.of(difference(highest, first_epoch, seeds), "share"),
        "highest": counted(highest.mean(), "share"),
        "last": counted(last.mean(), "share"),
        "one": counted(first_epoch.mean(), "share"),
        "trained.first": counted(first.mean(), "count"),
        "trained.second": counted(second.mean(), "count"),
        "trained.last": counted(seen.trained[:, -seen.batches :].mean(), "count"),
    }
    if seen.has_halves():
        values["trained.rise"] = Quantity.of(above(second, first), "count")
    return {f"search.epochs.{name}": value for name, value in values.items()}


@ANALYSIS.table("search_epochs_training")
def training_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed and step: the loss of the batch before the step."""
    seen = Epochs(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": seed,
            "epochs": (step + 1) / seen.batches,
            "loss": loss,
        }
        for seed, losses in zip(seen.seeds, seen.trained, strict=True)
        for step, loss in enumerate(losses)
    )


@ANALYSIS.table("search_epochs_validation")
def validation_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed and point: loss and accuracy on validation."""
    seen = Epochs(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": seed,
            "epochs": seen.epochs_at(point),
            "loss": seen.losses[place, point].mean(),
            "accuracy": seen.correct[place, point].mean(),
        }
        for place, seed in enumerate(seen.seeds)
        for point in range(len(seen.steps))
    )


@ANALYSIS.table("search_epochs_lowest")
def lowest_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed: where its validation loss is lowest, and what it ends at."""
    seen = Epochs(record)
    losses, accuracies = (each[:, :, READING].mean(axis=2) for each in (seen.losses, seen.correct))
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": seed,
            "epochs": seen.epochs_at(low),
            "lowest": losses[place, low],
            "last": losses[place, -1],
            "highest_accuracy": accuracies[place, high],
            "last_accuracy": accuracies[place, -1],
        }
        for place, (seed, low, high) in enumerate(
            zip(seen.seeds, seen.lowest(), seen.highest(), strict=True)
        )
    )
