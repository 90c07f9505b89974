"""Train the architecture that the search chose for more epochs, and watch it: writes a record.

A killed training goes on where it was, with the same command.
"""

from __future__ import annotations

import argparse

from labs.experiments.search import epochs, space, winner
from labs.experiments.search.arguments import (
    add_arguments,
    add_parts_argument,
    bench_of,
    parts_of,
    space_of,
)
from labs.jobs.arguments import at_least, limit, number_or_all
from labs.jobs.run import replicate, run
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    add_parts_argument(parser)
    parser.add_argument("--more-epochs", type=at_least(2), required=True)
    parser.add_argument(
        "--more-held-out",
        type=number_or_all,
        required=True,
        help="validation reviews to judge it on within the epochs, or 'all'",
    )
    return parser


def main() -> None:
    """Parse, choose, train, write."""
    arguments = parser().parse_args()
    best = space.architectures(space_of(arguments))[winner.choose(parts_of(arguments))]

    def observe(number: int) -> Observations:
        held_out = limit(arguments.more_held_out)
        return epochs.observe(bench_of(arguments), number, best, arguments.more_epochs, held_out)

    run("search", arguments, lambda threads: replicate(observe, [arguments.replicate], threads))


if __name__ == "__main__":
    main()
