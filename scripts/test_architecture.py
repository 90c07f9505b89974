"""Judge the best architecture of a search on the test split, once: writes a record."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from labs.experiments.search import space, winner
from labs.experiments.search.arguments import add_arguments, bench_of, space_of
from labs.jobs.arguments import at_least
from labs.jobs.run import replicate, run
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    parser.add_argument(
        "--parts",
        type=Path,
        nargs="+",
        required=True,
        help="the records of search_architectures.py, one a training seed",
    )
    parser.add_argument(
        "--noise-seeds",
        type=at_least(2),
        required=True,
        help="trainings of the default architecture, at least one a part",
    )
    return parser


def main() -> None:
    """Parse, choose, train, test, write."""
    arguments = parser().parse_args()
    all_architectures = space.architectures(space_of(arguments))
    # Files are no settings: a record's spec does not hold them.
    parts = [json.loads(path.read_text()) for path in vars(arguments).pop("parts")]
    best = all_architectures[winner.choose(parts)]

    def observe(number: int) -> Observations:
        seen = winner.observe(
            bench_of(arguments, number),
            number,
            best,
            all_architectures[0],
            tested=number < len(parts),
        )
        if number == 0:
            space.observe(seen)
        return seen

    seeds = range(max(arguments.noise_seeds, len(parts)))
    run("search", arguments, lambda threads: replicate(observe, seeds, threads))


if __name__ == "__main__":
    main()
