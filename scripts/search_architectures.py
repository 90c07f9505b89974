"""Train every architecture of a grid once, and replay the samplers on the results: writes a record.

A killed search goes on where it was, with the same command.
"""

from __future__ import annotations

import argparse

from labs.experiments.search import architectures
from labs.experiments.search.arguments import add_arguments, bench_of, space_of
from labs.experiments.search.replay import Comparison
from labs.jobs.arguments import at_least
from labs.jobs.run import replicate, run


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument(
        "--least-accuracy",
        type=float,
        required=True,
        help="below it, on validation, the first architecture ends the program",
    )
    parser.add_argument(
        "--sampler-seeds", type=at_least(2), required=True, help="replays of each sampler"
    )
    parser.add_argument(
        "--startup", type=at_least(1), required=True, help="trials of TPE drawn at random first"
    )
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )
    return parser


def main() -> None:
    """Parse, train, replay, write."""
    arguments = parser().parse_args()
    space = space_of(arguments)
    comparison = Comparison(arguments.sampler_seeds, arguments.startup)
    run(
        "search",
        arguments,
        lambda threads: replicate(
            lambda number: architectures.observe(
                bench_of(arguments, number), number, space, comparison, arguments.least_accuracy
            ),
            [arguments.replicate],
            threads,
        ),
    )


if __name__ == "__main__":
    main()
