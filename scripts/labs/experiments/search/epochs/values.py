"""What the search's record says of the winner that was trained for more epochs."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labs.analysis.accuracy import difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, matching, rows
from labs.analysis.points import Points, seed_scatter
from labs.analysis.statistics import Estimate, normal
from labs.experiments.search.names import EPOCHS
from labs.records.losses import unpack_losses
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
        told = matching(facts, name="losses").sort_values(["process", "step"])
        self.steps = sorted(told["step"].unique())
        self.seeds = sorted(told["process"].unique())
        self.losses: Losses = np.stack(
            [
                np.stack([unpack_losses(text) for text in told[told["process"] == seed]["value"]])
                for seed in self.seeds
            ]
        )
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
        means = self.losses[:, :, CHOOSING].mean(axis=2)
        return [int(point) for point in means.argmin(axis=1)]

    def rises(self) -> Losses:
        """Return each review's loss at the end above that at the lowest point: (seeds, reviews)."""
        pairs = zip(self.losses, self.lowest(), strict=True)
        return np.stack([(seed[-1] - seed[low])[READING] for seed, low in pairs])

    def highest(self) -> list[int]:
        """Return the point with the highest validation accuracy, by training seed."""
        means = self.correct[:, :, CHOOSING].mean(axis=2)
        return [int(point) for point in means.argmax(axis=1)]

    def answers(self, points: Sequence[int]) -> NDArray[np.bool_]:
        """Return the answers at a point of each training seed: (seeds, reviews)."""
        pairs = zip(self.correct, points, strict=True)
        return np.stack([seed[point][READING] for seed, point in pairs])

    def fall(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the answers at the point of the highest accuracy, and those at the end."""
        return self.answers(self.highest()), self.answers([-1] * len(self.seeds))

    def gain(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return the answers at the point of the highest accuracy, and after the first epoch."""
        after_first_epoch = [self.steps.index(self.batches)] * len(self.seeds)
        return self.answers(self.highest()), self.answers(after_first_epoch)

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
    variance = sum(one.var(ddof=1) / one.size for one in (first, second))
    return normal(first.mean() - second.mean(), variance)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    seen = Epochs(record)
    lowest = [seen.epochs_at(point) for point in seen.lowest()]
    first, second = seen.halves()
    losses = seen.losses[:, :, READING].mean(axis=2)
    seeds = seed_scatter(record)
    found = {
        "epochs": exactly(record["spec"]["more_epochs"], "count"),
        "batches": exactly(seen.batches, "count"),
        "held_out": exactly(seen.losses.shape[2], "count"),
        "seeds": exactly(len(seen.seeds), "count"),
        "lowest.first": exactly(min(lowest), "count"),
        "lowest.last": exactly(max(lowest), "count"),
        "lowest.loss": exactly(losses[range(len(losses)), seen.lowest()].mean(), "count"),
        "last.loss": exactly(float(losses[:, -1].mean()), "count"),
        "rise": Value(mean(seen.rises()), "count"),
        "fall": Value(difference(*seen.fall(), seeds), "share"),
        "gain": Value(difference(*seen.gain(), seeds), "share"),
        "highest": exactly(float(seen.fall()[0].mean()), "share"),
        "last": exactly(float(seen.fall()[1].mean()), "share"),
        "one": exactly(float(seen.gain()[1].mean()), "share"),
        "trained.first": exactly(float(first.mean()), "count"),
        "trained.second": exactly(float(second.mean()), "count"),
        "trained.last": exactly(float(seen.trained[:, -seen.batches :].mean()), "count"),
    }
    if seen.has_halves():
        found["trained.rise"] = Value(above(second, first), "count")
    return {f"search.epochs.{name}": value for name, value in found.items()}


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
            "loss": losses[point].mean(),
            "accuracy": correct[point].mean(),
        }
        for seed, losses, correct in zip(seen.seeds, seen.losses, seen.correct, strict=True)
        for point in range(len(seen.steps))
    )


@ANALYSIS.table("search_epochs_lowest")
def lowest_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed: where its validation loss is lowest, and what it ends at."""
    seen = Epochs(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": seed,
            "epochs": seen.epochs_at(low),
            "lowest": losses[low].mean(),
            "last": losses[-1].mean(),
            "highest_accuracy": correct[:, READING].mean(axis=1)[high],
            "last_accuracy": correct[-1][READING].mean(),
        }
        for seed, losses, correct, low, high in zip(
            seen.seeds,
            seen.losses[:, :, READING],
            seen.correct,
            seen.lowest(),
            seen.highest(),
            strict=True,
        )
    )
