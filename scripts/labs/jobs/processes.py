"""Programs that time something in several fresh processes, alone on the machine."""

import argparse
import platform
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from labs.jobs.arguments import add_record_arguments, add_settings, taken
from labs.jobs.run import require_device, run
from labs.measure.lock import alone
from labs.measure.processes import Stages, repeat
from labs.measure.quiet import QuietStart
from labs.records.observations import Observations
from labs.records.rows import Measured
from labs.setup.shared import SHARED


def add_timing_arguments(parser: argparse.ArgumentParser, *shared: str) -> None:
    """Add the arguments of every program that times something and writes a record.

    ``shared`` are the settings that it has in common with others.
    """
    if shared:
        add_settings(parser, SHARED, *shared)
    parser.add_argument(
        "--lock",
        type=Path,
        default=Path(f"results/.timing.{platform.node()}.lock"),
        help="lock file with which timing jobs on one machine run one at a time",
    )
    add_record_arguments(parser)


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

    No other timing job of this clone runs meanwhile. Others have time to leave the cores alone
    first; those that they keep are left to them.

    How many there are, the arguments say, unless ``stages`` does. It receives the inputs
    (JSON-serialisable), the arguments that it has other parameters for, its process number, its
    seed and, if it ``compiles``, whether the compiler cache is ``cold``: empty. If it ``narrows``,
    it receives the cases that are ``settled``, and leaves them out. Cases that differ in the keys
    ``across`` are compared with each other.
    """
    given = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in (taken(arguments, observe) | inputs).items()
    }
    quiet = QuietStart()

    def measure(threads: int) -> Measured:
        return repeat(
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
        )

    # Before waiting for others.
    require_device(arguments.device)
    with alone(arguments.lock):
        run(experiment, arguments, measure, quiet.threads)
