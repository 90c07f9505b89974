"""Train every architecture of a grid once, and replay the samplers on the results: writes a record.

A killed search goes on with the same command: it finds what was evaluated.
"""

from __future__ import annotations

import argparse

from labs.experiments.search import architectures
from labs.experiments.search.arguments import (
    add_arguments,
    add_comparison_arguments,
    bench_of,
    comparison_of,
    space_of,
)
from labs.jobs.run import replicate, run


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    add_comparison_arguments(parser)
    parser.add_argument(
        "--least-accuracy",
        type=float,
        required=True,
        help="below it, on validation, the first architecture ends the program",
    )
    return parser


def main() -> None:
    """Parse, train, replay, write."""
    arguments = parser().parse_args()
    space = space_of(arguments)
    comparison = comparison_of(arguments)
    run(
        "search",
        arguments,
        lambda threads: replicate(
            lambda number: architectures.observe(
                bench_of(arguments), number, space, comparison, arguments.least_accuracy
            ),
            [arguments.replicate],
            threads,
        ),
    )


if __name__ == "__main__":
    main()
