"""Count the reviews, their lengths and their splits; write a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.reviews import Sizes, observe
from labs.jobs.arguments import add_record_arguments, add_tokens_argument
from labs.jobs.run import run_once


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=Path, required=True, help="Parquet: text, label, split")
    add_tokens_argument(parser)
    parser.add_argument("--max-length", type=int, required=True, help="maximum tokens per review")
    parser.add_argument("--batch-size", type=int, required=True, help="reviews per batch")
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, count, write."""
    arguments = parser().parse_args()
    sizes = Sizes(arguments.max_length, arguments.batch_size)
    run_once(
        "reviews",
        arguments,
        lambda: observe(arguments.reviews, arguments.tokens, sizes, arguments.seed),
    )


if __name__ == "__main__":
    main()
