"""Arguments that several programs share, and their types."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from labs.measure.threads import ALL_CORES


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every program that writes a record."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--threads",
        default=ALL_CORES,
        help=f"{ALL_CORES!r} or a number, capped at the available cores",
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="record to write, JSON")


def add_tokens_argument(parser: argparse.ArgumentParser) -> None:
    """Add the file of all tokenised reviews."""
    parser.add_argument("--tokens", type=Path, required=True, help="Parquet: tokens, label, split")


def add_held_out_arguments(parser: argparse.ArgumentParser, splits: str) -> None:
    """Add the arguments that choose these splits' reviews for evaluation."""
    parser.add_argument(
        "--max-length", type=at_least(2), required=True, help="maximum tokens per review"
    )
    parser.add_argument(
        "--held-out", type=number_or_all, required=True, help=f"reviews of {splits}, or 'all'"
    )


def add_training_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the number of training reviews and the batch size."""
    parser.add_argument(
        "--reviews", type=number_or_all, required=True, help="training reviews, or 'all'"
    )
    parser.add_argument("--batch-size", type=at_least(1), required=True, help="reviews per batch")


def at_least(least: int) -> Callable[[str], int]:
    """Return the argparse type of whole numbers of at least ``least``."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number


def number_or_all(text: str) -> int | str:
    """The argparse type of a number of at least 1, or the word "all"; see ``limit``."""
    return text if text == "all" else at_least(1)(text)


def limit(number: int | str) -> int | None:
    """Return a number unchanged, and None (no limit) for "all"."""
    return None if isinstance(number, str) else number
