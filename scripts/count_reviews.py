"""Count the reviews, their lengths and their splits: writes a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs import jobs
from labs.census import Sizes, observe


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=Path, required=True, help="text, label, split: Parquet")
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")
    parser.add_argument("--max-length", type=int, required=True, help="tokens kept of a review")
    parser.add_argument("--batch-size", type=int, required=True, help="reviews a batch")
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, count, write."""
    arguments = parser().parse_args()
    sizes = Sizes(arguments.max_length, arguments.batch_size)
    jobs.run_beside_others(
        "data",
        "reviews",
        arguments,
        lambda threads: jobs.replicate(
            lambda _: observe(arguments.reviews, arguments.tokens, sizes, arguments.seed),
            1,
            threads,
        ),
    )


if __name__ == "__main__":
    main()
