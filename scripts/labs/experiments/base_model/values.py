"""Values and tables of the base models: their training and accuracy, the mean over them."""

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact
from labs.analysis.points import Points
from labs.analysis.values import Tree
from labs.experiments.base_model.names import ARM, ENOUGH, NO_MASK, PADDED
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("base_model")


@ANALYSIS.values
def values(record: Record) -> Tree:
    points = Points(record, arm=ARM)
    return {
        "number": counted(len(points.answers({"split": "validation"}))),
        "parameters": counted(fact(record, "parameters", ARM)[0]),
        "reviews": counted(fact(record, "reviews", ARM, split="train")[0]),
        **{name: counted(record["spec"][name]) for name in ("epochs", "batch_size")},
        "enough": counted(ENOUGH, "share"),
        **{
            split: {"accuracy": points.accuracy({"split": split})}
            for split in ("validation", "test")
        },
    }


@ANALYSIS.values
def padded_values(record: Record) -> Tree:
    """Return what the mask gains, if some validation reviews are shorter than the others."""
    points, masked, unmasked = Points(record, split=PADDED), {"arm": ARM}, {"arm": NO_MASK}
    if not points.has(unmasked):
        return {}
    return {
        PADDED: {
            "reviews": counted(points.answers(masked).shape[1]),
            "masked": points.accuracy(masked),
            "unmasked": points.accuracy(unmasked),
            "gain": points.gain(masked, unmasked),
        }
    }


@ANALYSIS.table("base_model_epochs")
def epoch_table(record: Record) -> pd.DataFrame:
    """Return one row per epoch: training loss in bits, validation accuracy; means over models."""
    return pd.DataFrame(
        {
            "device": record["device"],
            "epoch": epoch,
            "loss_bits": np.mean(fact(record, "loss", ARM, split="train", epoch=epoch)),
            "accuracy": np.mean(fact(record, "accuracy", ARM, split="validation", epoch=epoch)),
        }
        for epoch in range(1, record["spec"]["epochs"] + 1)
    )
