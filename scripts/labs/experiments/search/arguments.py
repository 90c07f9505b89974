"""Arguments that the programs of the search share, and the bench that they describe."""

import argparse
import json
from dataclasses import replace
from pathlib import Path

from labs.experiments.search.bench import Bench, Sizes
from labs.experiments.search.sizes import SEARCH
from labs.jobs.arguments import (
    add_files,
    add_record_arguments,
    add_replicate_argument,
    add_settings,
    taken,
)
from labs.models.optimization import Plan
from labs.records.record import Record


def add_arguments(parser: argparse.ArgumentParser, *settings: str) -> None:
    """Add the arguments of every program of the search, and these of its settings."""
    add_files(parser, "tokens", "encoder", "studies")
    add_settings(parser, SEARCH, *settings)
    add_replicate_argument(parser)
    add_record_arguments(parser)


def add_parts_argument(parser: argparse.ArgumentParser) -> None:
    """Add the records that a winner is chosen from."""
    parser.add_argument(
        "--parts",
        type=Path,
        nargs="+",
        required=True,
        help="the records of search_architectures.py, one a training seed",
    )


def parts_of(arguments: argparse.Namespace) -> list[Record]:
    """Return the records that a winner is chosen from, and take them from the arguments.

    Files are no settings: a record's spec does not hold them.
    """
    return [json.loads(path.read_text()) for path in vars(arguments).pop("parts")]


def bench_of(arguments: argparse.Namespace) -> Bench:
    """Return the bench of the replicate."""
    plan = Plan(**taken(arguments, Plan))
    again = replace(plan, epochs=arguments.compressed_epochs)
    sizes = Sizes(**taken(arguments, Sizes), plan=plan, again=again)
    return Bench(**taken(arguments, Bench), sizes=sizes)
