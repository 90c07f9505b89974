"""Values and tables of the base model: its training and accuracy."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, fact, prefixed
from labs.analysis.points import Points
from labs.experiments.base_model.names import ARM, NO_MASK, PADDED
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("base_model")


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    spec, points = record["spec"], Points(record)
    counts = {
        "parameters": fact(record, "parameters", ARM)[0],
        "reviews": fact(record, "reviews", ARM, split="train")[0],
        **{name: spec[name] for name in ("epochs", "batch_size", "max_length")},
    }
    result = all_counted("count", counts) | {
        "least_accuracy": counted(spec["least_accuracy"], "share"),
        "validation.accuracy": points.accuracy({"arm": ARM, "split": "validation"}),
        "test.accuracy": points.accuracy({"arm": ARM, "split": "test"}),
    }
    if has_padded(record):
        padded, masked, unmasked = Points(record, split=PADDED), {"arm": ARM}, {"arm": NO_MASK}
        result |= {
            "padded.reviews": counted(padded.answers(masked).shape[1], "count"),
            "padded.masked": padded.accuracy(masked),
            "padded.unmasked": padded.accuracy(unmasked),
            "padded.gain": padded.gain(masked, unmasked),
        }
    return prefixed("base_model", result)


def has_padded(record: Record) -> bool:
    """Return whether some validation reviews are shorter than the others."""
    return Points(record).has({"arm": NO_MASK, "split": PADDED})


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
