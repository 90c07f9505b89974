"""Programs that time something, and therefore run alone on the machine."""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

from labs.jobs.arguments import add_record_arguments
from labs.jobs.run import Measure, require_device, run
from labs.measure.lock import alone
from labs.measure.quiet import QuietStart


def add_timing_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of every program that times something and writes a record."""
    parser.add_argument(
        "--lock",
        type=Path,
        default=Path(f"results/.timing.{platform.node()}.lock"),
        help="lock file with which timing jobs on one machine run one at a time",
    )
    add_record_arguments(parser)


def run_alone(
    experiment: str, arguments: argparse.Namespace, measure: Measure, quiet: QuietStart
) -> None:
    """Measure while no other timing job of this clone runs, and write the record.

    Others have time to leave the cores alone first; those that they keep are left to them.
    """
    # Before waiting for others.
    require_device(arguments.device)
    with alone(arguments.lock):
        run(experiment, arguments, measure, quiet.threads)
