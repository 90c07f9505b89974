"""Values and tables of the reviews: counts, splits, lengths, and the cost of padding."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact
from labs.experiments.reviews.names import GROUPED, RANDOM
from labs.records.record import Record

ANALYSIS = Analysis("reviews")

SPLITS = ("train", "validation", "test")


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    def count(name: str) -> float:
        return float(fact(record, name, "reviews")[0])

    preset, longest = record["spec"]["max_length"], _lengths(record)[-1]
    random, grouped = (
        _of_length(record, "positions a token", arm, longest) for arm in (RANDOM, GROUPED)
    )
    labels = {split: _labels(record, split) for split in SPLITS}
    imbalance = max(abs(pair[1] / sum(pair) - 0.5) for pair in labels.values())
    found = {
        "reviews.read": exactly(count("read"), "count"),
        "reviews.kept": exactly(count("kept"), "count"),
        "reviews.left_out": exactly(count("read") - count("kept"), "count"),
        "reviews.near_copies": exactly(count("kept") - count("different words"), "count"),
        "reviews.in_two_splits": exactly(count("texts in two splits"), "count"),
        "reviews.imbalance": exactly(imbalance, "share"),
        "reviews.longest": exactly(longest, "count"),
        "reviews.max_length": exactly(preset, "count"),
        "reviews.cut": exactly(_of_length(record, "cut", "train", preset), "share"),
        "reviews.cut_at_longest": exactly(_of_length(record, "cut", "train", longest), "share"),
        "reviews.median_tokens": exactly(
            _of_length(record, "median tokens", "train", longest), "count"
        ),
        "reviews.padding.random": exactly(random, "ratio"),
        "reviews.padding.grouped": exactly(grouped, "ratio"),
        "reviews.padding.saved": exactly(random / grouped, "ratio"),
    }
    for split, pair in labels.items():
        found[f"reviews.{split}"] = exactly(sum(pair), "count")
    return found


@ANALYSIS.table("reviews_origin")
def origin_table(record: Record) -> pd.DataFrame:
    """Return one row: where the reviews come from, and under which licence."""
    names = ("source", "licence", "sha256")
    told = {name: "".join(fact(record, name, "reviews")) for name in names}
    return pd.DataFrame([{"device": record["device"]} | told])


@ANALYSIS.table("reviews_splits")
def split_table(record: Record) -> pd.DataFrame:
    """Return one row per split: its number of reviews, in total and by label."""
    labels = {split: _labels(record, split) for split in SPLITS}
    return pd.DataFrame(
        {
            "device": record["device"],
            "split": split,
            "reviews": negative + positive,
            "negative": negative,
            "positive": positive,
            "positive_share": positive / (negative + positive),
        }
        for split, (negative, positive) in labels.items()
    )


@ANALYSIS.table("reviews_lengths")
def length_table(record: Record) -> pd.DataFrame:
    """Return one row per maximum length: median length, share cut off, and cost of padding."""
    return pd.DataFrame(
        {
            "device": record["device"],
            "max_length": length,
            "median_tokens": _of_length(record, "median tokens", "train", length),
            "cut": _of_length(record, "cut", "train", length),
            "random": _of_length(record, "positions a token", RANDOM, length),
            "grouped": _of_length(record, "positions a token", GROUPED, length),
        }
        for length in _lengths(record)
    )


def _lengths(record: Record) -> list[int]:
    """Return the maximum lengths that were counted, the preset's and the labs', ascending."""
    return sorted({row["case"]["max_length"] for row in record["facts"] if row["name"] == "cut"})


def _labels(record: Record, split: str) -> tuple[int, int]:
    """Return how many reviews of a split are negative and how many positive."""
    negative, positive = (sum(fact(record, "reviews", split, label=label)) for label in (0, 1))
    return negative, positive


def _of_length(record: Record, name: str, arm: str, length: int) -> float:
    return float(fact(record, name, arm, max_length=length)[0])
