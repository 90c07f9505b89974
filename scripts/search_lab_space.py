"""Search the lab's whole space with one sampler and one training seed: writes a record.

A killed search goes on with the same command: it finds what was evaluated.
"""

from __future__ import annotations

import argparse

from labs.experiments.search import lab_space
from labs.experiments.search.arguments import add_bench_arguments, add_startup_argument, bench_of
from labs.jobs.arguments import at_least
from labs.jobs.run import replicate, run
from labs.records.names.search import LAB_SAMPLERS
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sampler", choices=LAB_SAMPLERS, required=True)
    parser.add_argument("--lab-trials", type=at_least(1), required=True, help="of the search")
    add_startup_argument(parser)
    add_bench_arguments(parser)
    return parser


def main() -> None:
    """Parse, search, write."""
    arguments = parser().parse_args()

    def observe(number: int) -> Observations:
        return lab_space.observe(
            bench_of(arguments),
            number,
            arguments.sampler,
            arguments.startup,
            arguments.lab_trials,
        )

    run("search", arguments, lambda threads: replicate(observe, [arguments.replicate], threads))


if __name__ == "__main__":
    main()
