"""Judge what the searches chose on the test split, once; with and without compression: a record."""

import argparse

from labs.experiments.search import space, winner
from labs.experiments.search.arguments import (
    add_arguments,
    add_parts_argument,
    bench_of,
    parts_of,
)
from labs.experiments.search.compression import observe as compression
from labs.experiments.search.names import OBJECTIVES
from labs.experiments.search.replay import Comparison
from labs.experiments.search.sizes import COMPARISON, ON_GRID
from labs.jobs.arguments import taken
from labs.jobs.run import run_once
from labs.records.observations import Observations


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, *ON_GRID, *COMPARISON)
    add_parts_argument(parser)
    arguments = parser.parse_args()
    grid = space.grid(**taken(arguments, space.grid))
    architectures = space.architectures(grid)
    parts = parts_of(arguments)
    winners = {one: architectures[winner.choose(parts, one)] for one in OBJECTIVES}
    sampler = compression.best_sampler(parts)
    comparison = Comparison(**taken(arguments, Comparison))

    def observe(replicate: int) -> Observations:
        seen, bench = Observations(replicate), bench_of(arguments)
        # A seed without a part was not searched with: it shows how far seeds scatter.
        tested = replicate < len(parts)
        winner.observe_default(seen, bench, architectures[0], tested=tested)
        if tested:
            winner.observe_winners(seen, bench, winners)
            compression.observe(seen, bench, grid, sampler, comparison)
        if replicate == 0:
            space.observe(seen)
        return seen

    run_once("search", arguments, observe)


if __name__ == "__main__":
    main()
