"""What is common to the jobs of the search: their files, and what is made of their arguments."""

import argparse
import json
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any

from labs.experiments.search import sizes
from labs.experiments.search.bench import Bench
from labs.experiments.search.space import grid
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.models.training import seed_of
from labs.records.observations import Observations
from labs.records.record import Record
from labs.setup.section import Section
from labs.studies.rates import chosen_in

FILES = ("tokens", "encoder", "studies")
"""What every job of the search reads."""


def _bench_at(arguments: argparse.Namespace) -> Callable[[float], Bench]:
    settings = sizes.Bench(**arguments_for(arguments, sizes.Bench))
    seed = seed_of(arguments.seed, arguments.replicate)
    return partial(Bench, **arguments_for(arguments, Bench) | {"sizes": settings, "seed": seed})


def _parts(arguments: argparse.Namespace) -> list[Record]:
    return [json.loads(path.read_text()) for path in arguments.parts]


def _bench(arguments: argparse.Namespace) -> Bench:
    parts = _parts(arguments)
    # A seed beyond the chains takes the rate of one of them.
    return _bench_at(arguments)(chosen_in(parts[arguments.replicate % len(parts)]))


MADE: dict[str, Callable[[argparse.Namespace], Any]] = {
    "bench_at": _bench_at,
    "bench": _bench,
    "space": lambda arguments: grid(**arguments_for(arguments, grid)),
    "comparison": lambda arguments: sizes.Comparison(**arguments_for(arguments, sizes.Comparison)),
    "parts": _parts,
}
"""What a function may have parameters for. A space is the grid; parts are the records that winners
are chosen from, one a chain; a bench trains at the rate that the chain chose there, ``bench_at``
returns one of any rate."""


def job(observe: Callable[..., Observations], settings: tuple[Section, ...], **options: Any) -> Job:
    """Return the job of a function, which is given those of MADE that it has parameters for."""
    wanted = signature(observe).parameters
    files = (*FILES, "parts") if "bench" in wanted else FILES

    def inputs(arguments: argparse.Namespace) -> dict[str, Any]:
        return {name: make(arguments) for name, make in MADE.items() if name in wanted}

    return Job("search", observe, settings, files, replicated=True, inputs=inputs, **options)
