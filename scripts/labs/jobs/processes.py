"""Programs that time something in several fresh processes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from labs.jobs.arguments import at_least
from labs.jobs.timing import add_timing_arguments, run_alone
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.records.observations import Observations


def add_process_arguments(parser: argparse.ArgumentParser, fewest: int = 2) -> None:
    """Add the arguments of every program that interleaves arms in fresh processes.

    What compiles takes ``FEWEST_COMPILED`` processes at least.
    """
    add_timing_arguments(parser)
    parser.add_argument(
        "--processes",
        type=at_least(fewest),
        required=True,
        help=f"fresh processes, the units of the statistics: at least {fewest}, for intervals",
    )
    parser.add_argument(
        "--budget",
        type=at_least(0),
        default=0,
        help="seconds for more processes, where an interval is still too wide; 0: none",
    )
    parser.add_argument(
        "--rounds", type=at_least(1), required=True, help="interleaved rounds per process"
    )


def run_in_processes(
    experiment: str,
    arguments: argparse.Namespace,
    observe: Callable[..., Observations],
    inputs: dict[str, Any],
    *,
    stages: Stages | None = None,
    compiles: bool = False,
    narrows: bool = False,
    across: Sequence[str] = (),
) -> None:
    """Call ``observe`` in every fresh process, and write the record.

    How many there are, the arguments say, unless ``stages`` does. It receives the inputs
    (JSON-serialisable), its process number, the device, its seed and, if it ``compiles``, whether
    the compiler cache is ``cold``: empty. If it ``narrows``, it receives the cases that are
    ``settled``, and leaves them out. Cases that differ in the keys ``across`` are compared with
    each other.
    """
    quiet = QuietStart()
    run_alone(
        experiment,
        arguments,
        lambda threads: repeat(
            f"{experiment} on {arguments.device}",
            observe,
            {**inputs, "device": arguments.device},
            stages=stages or Stages(arguments.processes, arguments.budget),
            threads=threads,
            seed=arguments.seed,
            compiles=compiles,
            narrows=narrows,
            across=across,
            quiet=quiet,
        ),
        quiet,
    )
