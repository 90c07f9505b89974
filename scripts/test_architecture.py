"""Judge what the searches chose on the test split, once; with and without compression: a record."""

from __future__ import annotations

import argparse

from labs.experiments.search import compression, space, winner
from labs.experiments.search.arguments import (
    add_arguments,
    add_comparison_arguments,
    add_parts_argument,
    bench_of,
    comparison_of,
    parts_of,
    space_of,
)
from labs.jobs.run import replicate, run
from labs.records.names.search import OBJECTIVES
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    add_comparison_arguments(parser)
    add_parts_argument(parser)
    return parser


def main() -> None:
    """Parse, choose, search for compressed models, train, test, write."""
    arguments = parser().parse_args()
    grid = space_of(arguments)
    architectures = space.architectures(grid)
    parts = parts_of(arguments)
    winners = {one: architectures[winner.choose(parts, one)] for one in OBJECTIVES}
    sampler = compression.best_sampler(parts)

    def observe(number: int) -> Observations:
        seen, bench = Observations(number), bench_of(arguments)
        # A seed without a part was not searched with: it shows how far seeds scatter.
        tested = number < len(parts)
        winner.observe_default(seen, bench, architectures[0], tested=tested)
        if tested:
            winner.observe_winners(seen, bench, winners)
            compression.observe(seen, bench, grid, sampler, comparison_of(arguments))
        if number == 0:
            space.observe(seen)
        return seen

    run("search", arguments, lambda threads: replicate(observe, [arguments.replicate], threads))


if __name__ == "__main__":
    main()
