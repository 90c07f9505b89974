"""Values and tables of the base model: its training and accuracy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact
from labs.analysis.points import Points
from labs.experiments.base_model.names import ARM, NO_MASK, PADDED
from labs.records.record import Record

ANALYSIS = Analysis("base_model")


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    spec = record["spec"]
    return {
        "base_model.parameters": exactly(fact(record, "parameters", ARM)[0], "count"),
        "base_model.reviews": exactly(fact(record, "reviews", ARM, split="train")[0], "count"),
        "base_model.epochs": exactly(spec["epochs"], "count"),
        "base_model.batch_size": exactly(spec["batch_size"], "count"),
        "base_model.max_length": exactly(spec["max_length"], "count"),
        "base_model.least_accuracy": exactly(spec["least_accuracy"], "share"),
        **{
            f"base_model.{split}.accuracy": Points(record).accuracy({"arm": ARM, "split": split})
            for split in ("validation", "test")
        },
        **_of_mask(record),
    }


def has_padded(record: Record) -> bool:
    """Return whether some validation reviews are shorter than the others."""
    return Points(record).has({"arm": NO_MASK, "split": PADDED})


def _of_mask(record: Record) -> dict[str, Value]:
    """Return the accuracy on padded reviews with an attention mask and without; {} for none."""
    if not has_padded(record):
        return {}
    points = Points(record, split=PADDED)
    masked, unmasked = {"arm": ARM}, {"arm": NO_MASK}
    return {
        "base_model.padded.reviews": exactly(points.answers(masked).shape[1], "count"),
        "base_model.padded.masked": points.accuracy(masked),
        "base_model.padded.unmasked": points.accuracy(unmasked),
        "base_model.padded.gain": points.gain(masked, unmasked),
    }


@ANALYSIS.table("base_model_epochs")
def epoch_table(record: Record) -> pd.DataFrame:
    """Return one row per epoch: training loss in bits, validation accuracy."""
    return pd.DataFrame(
        {
            "device": record["device"],
            "epoch": epoch,
            "loss_bits": fact(record, "loss", ARM, split="train", epoch=epoch)[0],
            "accuracy": fact(record, "accuracy", ARM, split="validation", epoch=epoch)[0],
        }
        for epoch in range(1, record["spec"]["epochs"] + 1)
    )
