"""Values and tables of the reviews: counts, splits, lengths, and the cost of padding."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, fact, fact_by, prefixed
from labs.experiments.reviews.names import GROUPED, RANDOM
from labs.records.quantity import Quantity
from labs.records.record import Record

ANALYSIS = Analysis("reviews")

SPLITS = ("train", "validation", "test")


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    read, kept, different, in_two_splits = (
        fact(record, name, "reviews")[0]
        for name in ("read", "kept", "different words", "texts in two splits")
    )
    splits, lengths = split_table(record), length_table(record).set_index("max_length")
    max_length, longest = record["spec"]["max_length"], lengths.index[-1]
    at_longest = lengths.loc[longest]
    counts = {
        "read": read,
        "kept": kept,
        "left_out": read - kept,
        "near_copies": kept - different,
        "in_two_splits": in_two_splits,
        "longest": longest,
        "max_length": max_length,
        "median_tokens": at_longest["median_tokens"],
        **dict(zip(splits["split"], splits["reviews"], strict=True)),
    }
    shares = {
        "imbalance": (splits["positive_share"] - 0.5).abs().max(),
        "cut": lengths.loc[max_length, "cut"],
        "cut_at_longest": at_longest["cut"],
    }
    random, grouped = at_longest["random"], at_longest["grouped"]
    padding = {"random": random, "grouped": grouped, "saved": random / grouped}
    return prefixed(
        "reviews",
        all_counted("count", counts)
        | all_counted("share", shares)
        | prefixed("padding", all_counted("ratio", padding)),
    )


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
        {
            column: fact_by(record, "max_length", name, arm)
            for column, (name, arm) in columns.items()
        }
    )
    table = table.sort_index().rename_axis("max_length").reset_index()
    return table.assign(device=record["device"])[["device", "max_length", *columns]]
