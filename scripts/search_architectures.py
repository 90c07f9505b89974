"""Train every architecture of a grid once, and replay the samplers on the results: writes a record.

A killed search goes on with the same command: it finds what was evaluated.
"""

import argparse

from labs.experiments.search.architectures import observe as architectures
from labs.experiments.search.arguments import add_arguments, bench_of
from labs.experiments.search.replay import Comparison
from labs.experiments.search.sizes import COMPARISON, ON_GRID
from labs.experiments.search.space import grid
from labs.jobs.arguments import taken
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser, *ON_GRID, "least-accuracy", *COMPARISON)
    arguments = parser.parse_args()
    run_once(
        "search",
        arguments,
        architectures.observe,
        bench=bench_of(arguments),
        space=grid(**taken(arguments, grid)),
        comparison=Comparison(**taken(arguments, Comparison)),
    )


if __name__ == "__main__":
    main()
