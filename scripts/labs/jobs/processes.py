"""Programs that time something in several fresh processes."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from labs.jobs.arguments import taken
from labs.jobs.timing import run_alone
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.records.observations import Observations


def run_in_processes(
    experiment: str,
    arguments: argparse.Namespace,
    observe: Callable[..., Observations],
    *,
    stages: Stages | None = None,
    compiles: bool = False,
    narrows: bool = False,
    across: Sequence[str] = (),
    **inputs: Any,
) -> None:
    """Call ``observe`` in every fresh process, and write the record.

    How many there are, the arguments say, unless ``stages`` does. It receives the inputs
    (JSON-serialisable), the arguments that it has other parameters for, its process number, its
    seed and, if it ``compiles``, whether the compiler cache is ``cold``: empty. If it ``narrows``,
    it receives the cases that are ``settled``, and leaves them out. Cases that differ in the keys
    ``across`` are compared with each other.
    """
    quiet = QuietStart()
    given = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in (taken(arguments, observe) | inputs).items()
    }
    run_alone(
        experiment,
        arguments,
        lambda threads: repeat(
            f"{experiment} on {arguments.device}",
            observe,
            given,
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
