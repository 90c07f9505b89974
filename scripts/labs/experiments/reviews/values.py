"""Values and tables of the reviews: counts, splits, lengths, and the cost of padding."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, fact_by
from labs.analysis.values import Tree
from labs.experiments.reviews.names import GROUPED, RANDOM
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("reviews")

SPLITS = ("train", "validation", "test")


@ANALYSIS.values
def values(record: Record) -> Tree:
    read, kept, different, in_two_splits = (
        fact(record, name, "reviews")[0]
        for name in ("read", "kept", "different words", "texts in two splits")
    )
    splits = split_table(record)
    return {
        "read": counted(read),
        "kept": counted(kept),
        "near_copies": counted(kept - different),
        "in_two_splits": counted(in_two_splits),
        "imbalance": counted((splits["positive_share"] - 0.5).abs().max(), "points"),
        "max_length": counted(record["spec"]["max_length"]),
        "longest": counted(length_table(record)["max_length"].max()),
        **dict(zip(SPLITS, map(counted, splits["reviews"]), strict=True)),
    }


@ANALYSIS.table("reviews_origin")
def origin_table(record: Record) -> pd.DataFrame:
    """Return one row: where the reviews come from, and under which licence."""
    names = ("source", "licence", "sha256")
    origin = {name: "".join(fact(record, name, "reviews")) for name in names}
    return pd.DataFrame([{"device": record["device"]} | origin])


@ANALYSIS.table("reviews_splits")
def split_table(record: Record) -> pd.DataFrame:
    """Return one row per split: its number of reviews, in total and by label."""
    negative, positive = (
        [sum(fact(record, "reviews", split, label=label)) for split in SPLITS] for label in (0, 1)
    )
    table = pd.DataFrame({"split": SPLITS, "negative": negative, "positive": positive})
    table.insert(0, "device", record["device"])
    table.insert(2, "reviews", table["negative"] + table["positive"])
    return table.assign(positive_share=table["positive"] / table["reviews"])


@ANALYSIS.table("reviews_lengths")
def length_table(record: Record) -> pd.DataFrame:
    """Return one row per maximum length: median length, share cut off, and cost of padding.

    The maximum lengths are the preset's and the labs', ascending.
    """
    columns = {
        "median_tokens": ("median tokens", "train"),
        "cut": ("cut", "train"),
        "random": ("positions a token", RANDOM),
        "grouped": ("positions a token", GROUPED),
    }
    table = pd.DataFrame(
        {column: fact_by(record, "max_length", *named) for column, named in columns.items()}
    )
    table = table.sort_index().rename_axis("max_length").reset_index()
    table.insert(0, "device", record["device"])
    return table
