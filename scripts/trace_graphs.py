"""Export BERT-tiny's graphs, run Lab 0's passes over them, and compare outputs; write a record."""

from __future__ import annotations

import argparse

from labs.experiments.graphs.experiment import Sizes, observe
from labs.jobs.arguments import add_record_arguments, at_least
from labs.jobs.run import run_once


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=at_least(1), required=True, help="sequences")
    parser.add_argument(
        "--sequence-length", type=at_least(2), required=True, help="tokens per sequence"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, trace, write."""
    arguments = parser().parse_args()
    sizes = Sizes(arguments.batch_size, arguments.sequence_length)
    run_once("graphs", arguments, lambda: observe(sizes, arguments.seed))


if __name__ == "__main__":
    main()
