"""The reviews: their number, lengths and splits, and the cost of padding."""

from collections import Counter
from pathlib import Path

import numpy as np
import torch
from pyarrow import parquet

from labs.data import corpus
from labs.data.batches import batches
from labs.data.reviews import load
from labs.data.tokens import LONGEST
from labs.experiments.reviews import sizes
from labs.experiments.reviews.names import GROUPED, RANDOM
from labs.jobs.job import Job
from labs.records.observations import Observations


def observe(
    reviews_file: Path, tokens: Path, max_length: int, batch_size: int, seed: int
) -> Observations:
    """Return the counts from both Parquet files, at the preset's maximum tokens per review."""
    seen = Observations(0)
    _observe_origin(seen, reviews_file)
    for length in sorted({max_length, LONGEST}):
        _observe_lengths(seen, tokens, length, batch_size, seed)
    return seen


def _observe_origin(seen: Observations, reviews: Path) -> None:
    """Record where the reviews come from, how many were dropped, and the size of each split."""
    origin = corpus.origin_of(reviews)
    table = parquet.read_table(reviews).to_pylist()
    for name in ("source", "licence", "sha256"):
        if name in origin:
            seen.fact(name, origin[name], "text", "reviews")
    seen.fact("read", origin["read"], "count", "reviews")
    seen.fact("kept", len(table), "count", "reviews")
    for (split, label), number in Counter((row["split"], row["label"]) for row in table).items():
        seen.fact("reviews", number, "count", split, label=label)
    # By its words, the splits that a text stands in.
    splits: dict[str, set[str]] = {}
    for row in table:
        splits.setdefault(corpus.words_of(row["text"]), set()).add(row["split"])
    in_two = sum(len(names) > 1 for names in splits.values())
    seen.fact("texts in two splits", in_two, "count", "reviews")
    seen.fact("different words", len(splits), "count", "reviews")


def _observe_lengths(
    seen: Observations, tokens: Path, max_length: int, batch_size: int, seed: int
) -> None:
    """Record how much of the training split is truncated, and its positions per real token."""
    lengths = load(tokens, "train", max_length).lengths
    case = {"max_length": max_length}
    seen.fact("median tokens", float(np.median(lengths)), "count", "train", **case)
    # Reviews of exactly that length count as cut, though some may not be.
    cut = (lengths == max_length).float().mean().item()
    seen.fact("cut", cut, "share", "train", **case)
    generator = torch.Generator().manual_seed(seed)
    epochs = {
        RANDOM: torch.randperm(len(lengths), generator=generator).split(batch_size),
        GROUPED: batches(lengths, batch_size, generator),
    }
    for arm, epoch in epochs.items():
        positions = sum(len(indices) * int(lengths[indices].max()) for indices in epoch)
        ratio = positions / int(lengths.sum())
        seen.fact("positions a token", ratio, "ratio", arm, batch_size=batch_size, **case)


JOB = Job("reviews", observe, sizes.SETTINGS, files=("reviews-file", "tokens"))
