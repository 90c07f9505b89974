"""Observe how CuTe partitions tensors over blocks and threads; write a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.mxint8.partition import missing, observe
from labs.jobs.arguments import add_record_arguments, at_least
from labs.jobs.run import run_once
from labs.records import record

EXPERIMENT = "mxint8_partition"


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--program", type=Path, required=True, help="cute_partition, from the build of mxint_cuda"
    )
    parser.add_argument(
        "--group-sizes",
        type=at_least(1),
        nargs="+",
        required=True,
        help="group sizes of the tensors whose memory transactions are counted",
    )
    parser.add_argument(
        "--elements", type=at_least(1), required=True, help="elements of these tensors"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, observe, write."""
    arguments = parser().parse_args()
    reason = missing(arguments.program)
    if reason:
        absent = record.not_measured(EXPERIMENT, arguments.device, reason)
        record.write(absent, arguments.output)
        return
    run_once(
        EXPERIMENT,
        arguments,
        lambda: observe(arguments.program, arguments.group_sizes, arguments.elements),
    )


if __name__ == "__main__":
    main()
