"""Arguments that several programs share, and their types."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path


def add_record_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every program needs that writes a record."""
    parser.add_argument("--device", choices=["cpu", "cuda"], required=True)
    parser.add_argument(
        "--threads", default="all", help="'all' or a number, capped by the cores available"
    )
    parser.add_argument("--seed", type=int, default=42, help="seed of orders, weights and inputs")
    parser.add_argument("--output", type=Path, required=True, help="the record, JSON")


def add_tokens_argument(parser: argparse.ArgumentParser) -> None:
    """Add the file of all reviews."""
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")


def add_held_out_arguments(parser: argparse.ArgumentParser, splits: str) -> None:
    """Add what decides which reviews of these splits a model is evaluated on."""
    parser.add_argument(
        "--max-length", type=at_least(2), required=True, help="tokens kept of a review"
    )
    parser.add_argument(
        "--held-out", type=number_or_all, required=True, help=f"reviews of {splits}, or 'all'"
    )


def add_training_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how many reviews a model is trained on, and how many make a batch."""
    parser.add_argument(
        "--reviews", type=number_or_all, required=True, help="reviews trained on, or 'all'"
    )
    parser.add_argument("--batch-size", type=at_least(1), required=True, help="reviews per batch")


def at_least(least: int) -> Callable[[str], int]:
    """Return the argparse type of whole numbers that are not smaller."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least {least}")
        return int(text)

    return number


def number_or_all(text: str) -> int | str:
    """The argparse type of a number of at least 1, or the word "all"; see ``limit``."""
    return text if text == "all" else at_least(1)(text)


def limit(number: int | str) -> int | None:
    """Return a number as it is, and None, which is no limit, for "all"."""
    return None if isinstance(number, str) else number
