"""What the jobs of the search make of their arguments."""

import argparse
import json
from typing import Any

from labs.experiments.search import sizes
from labs.experiments.search.bench import Bench
from labs.experiments.search.space import grid
from labs.jobs.arguments import taken
from labs.records.names.studies import Space
from labs.records.record import Record

FILES = ("tokens", "encoder", "studies")
"""What every job of the search reads."""


def bench(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the bench of the replicate."""
    settings = sizes.Bench(**taken(arguments, sizes.Bench))
    return {"bench": Bench(**taken(arguments, Bench), sizes=settings)}


def space(arguments: argparse.Namespace) -> Space:
    """Return the grid of architectures."""
    return grid(**taken(arguments, grid))


def parts(arguments: argparse.Namespace) -> list[Record]:
    """Return the records that a winner is chosen from, one a training seed."""
    return [json.loads(path.read_text()) for path in arguments.parts]
