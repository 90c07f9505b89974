"""Export BERT-tiny's graphs, run Lab 0's passes over them, and compare outputs: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.graphs.experiment import Sizes, observe


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=jobs.at_least(1), required=True, help="sequences")
    parser.add_argument(
        "--sequence-length", type=jobs.at_least(2), required=True, help="tokens in a sequence"
    )
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, trace, write."""
    arguments = parser().parse_args()
    sizes = Sizes(arguments.batch_size, arguments.sequence_length)
    jobs.run_beside_others(
        "graphs",
        "bert-tiny",
        arguments,
        lambda threads: jobs.replicate(lambda _: observe(sizes, arguments.seed), 1, threads),
    )


if __name__ == "__main__":
    main()
