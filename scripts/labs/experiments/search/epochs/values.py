"""What the search's record says of the winner that was trained for more epochs."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from labs.analysis.accuracy import Answers, difference
from labs.analysis.analysis import Analysis
from labs.analysis.frame import matching, rows
from labs.analysis.points import CHOOSING, READING, Points
from labs.analysis.statistics import normal
from labs.analysis.values import Tree
from labs.experiments.search.names import EPOCHS
from labs.records.packed import unpack_losses
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("search", "search.epochs")

Losses = NDArray[np.float64]


class Epochs:
    """The winner's training: by training seed, what was seen at each point of validation."""

    def __init__(self, record: Record) -> None:
        facts = rows(record, "facts", arm=EPOCHS).sort_values(["process", "step"])
        self.batches = int(matching(facts, name="batches")["value"].iloc[0])
        """Of an epoch."""
        losses = matching(facts, name="losses")
        self.seeds = list(losses["process"].unique())
        steps = losses["step"].unique()
        self.epochs: Losses = steps / self.batches
        """After how many each point was taken."""
        validated = np.stack([unpack_losses(text) for text in losses["value"]])
        self.losses: Losses = validated.reshape(len(self.seeds), len(steps), -1)
        """(training seeds, points, reviews), in bits"""
        points = Points(record, split="validation", arm=EPOCHS)
        self.correct = np.stack([points.answers({"step": step}) for step in steps], axis=1)
        """(training seeds, points, reviews)"""
        trained = matching(facts, name="loss", split="train")["value"].to_numpy(dtype=float)
        self.trained: Losses = trained.reshape(len(self.seeds), -1)
        """The loss of each batch before its step: (training seeds, steps), in bits"""

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

    def answers(self, points: list[int] | int) -> Answers:
        """Return the answers at a point of all seeds, or one of each: (seeds, reviews)."""
        return self.correct[range(len(self.seeds)), points][:, READING]


@ANALYSIS.values
def values(record: Record) -> Tree:
    seen = Epochs(record)
    highest, last = seen.answers(seen.highest()), seen.answers(-1)
    one = seen.answers(list(seen.epochs).index(1))
    lowest = lowest_table(record)
    return {
        "epochs": counted(record["spec"]["more_epochs"]),
        "batches": counted(seen.batches),
        "held_out": counted(seen.losses.shape[2]),
        "seeds": counted(len(seen.seeds)),
        "lowest": {
            "first": counted(lowest["epochs"].min()),
            "last": counted(lowest["epochs"].max()),
            "loss": counted(lowest["lowest"].mean()),
        },
        "rise": mean(seen.rises()),
        "fall": Quantity.of(difference(highest, last, ANALYSIS.experiment), "points lost"),
        "gain": Quantity.of(difference(highest, one, ANALYSIS.experiment), "points"),
        "highest": counted(highest.mean(), "share"),
        "last": {
            "": counted(last.mean(), "share"),
            "loss": counted(lowest["last"].mean()),
        },
        "one": counted(one.mean(), "share"),
        "trained": _of_training(seen),
    }


def _of_training(seen: Epochs) -> Tree:
    """Return the training losses in the halves of the first epoch, and in the last epoch."""
    middle, batches = seen.batches // 2, seen.batches
    return {
        "first": counted(seen.trained[:, :middle].mean()),
        "second": counted(seen.trained[:, middle:batches].mean()),
        "last": counted(seen.trained[:, -batches:].mean()),
    }


def mean(values: Losses) -> Quantity:
    """Return the mean of (seeds, reviews) values, its interval over the reviews."""
    by_review = values.mean(axis=0)
    found = normal(by_review.mean(), by_review.var(ddof=1) / len(by_review))
    return Quantity.of(found, "count")


@ANALYSIS.table("search_epochs_training")
def training_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed and step: the loss of the batch before the step."""
    seen = Epochs(record)
    epochs = np.arange(1, seen.trained.shape[1] + 1) / seen.batches
    return _table(record, seen, epochs, loss=seen.trained)


@ANALYSIS.table("search_epochs_validation")
def validation_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed and point: loss and accuracy on validation."""
    seen = Epochs(record)
    loss, accuracy = seen.losses.mean(axis=2), seen.correct.mean(axis=2)
    return _table(record, seen, seen.epochs, loss=loss, accuracy=accuracy)


@ANALYSIS.table("search_epochs_lowest")
def lowest_table(record: Record) -> pd.DataFrame:
    """Return one row a training seed: where its validation loss is lowest, and what it ends at."""
    seen = Epochs(record)
    losses, accuracies = (each[:, :, READING].mean(axis=2) for each in (seen.losses, seen.correct))
    seeds, low = range(len(seen.seeds)), seen.lowest()
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": seen.seeds,
            "epochs": seen.epochs[low],
            "lowest": losses[seeds, low],
            "last": losses[:, -1],
            "highest_accuracy": accuracies[seeds, seen.highest()],
            "last_accuracy": accuracies[:, -1],
        }
    )


def _table(record: Record, seen: Epochs, epochs: Losses, **columns: Losses) -> pd.DataFrame:
    """Return (training seeds, points) values, one row a seed and point, with the points' epochs."""
    return pd.DataFrame(
        {
            "device": record["device"],
            "replicate": np.repeat(seen.seeds, len(epochs)),
            "epochs": np.tile(epochs, len(seen.seeds)),
            **{name: values.ravel() for name, values in columns.items()},
        }
    )
