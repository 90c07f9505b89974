"""Train the architecture that the search chose for more epochs, and watch it: writes a record.

A killed training goes on where it was, with the same command.
"""

import argparse

from labs.experiments.search import space, winner
from labs.experiments.search.arguments import (
    add_arguments,
    add_parts_argument,
    bench_of,
    parts_of,
)
from labs.experiments.search.epochs import observe as epochs
from labs.experiments.search.sizes import ON_GRID
from labs.jobs.arguments import taken
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, *ON_GRID, "more-epochs", "more-held-out")
    add_parts_argument(parser)
    arguments = parser.parse_args()
    architectures = space.architectures(space.grid(**taken(arguments, space.grid)))
    best = architectures[winner.choose(parts_of(arguments))]
    run_once("search", arguments, epochs.observe, bench=bench_of(arguments), architecture=best)


if __name__ == "__main__":
    main()
