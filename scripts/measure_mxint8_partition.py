"""Print how CuTe shares tensors out over blocks and threads: writes a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs import jobs, records
from labs.mxint8.partition import missing, observe

EXPERIMENT = "mxint8_partition"


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--program", type=Path, required=True, help="cute_partition, from the build of mxint_cuda"
    )
    parser.add_argument(
        "--group-sizes",
        type=jobs.at_least(1),
        nargs="+",
        required=True,
        help="group sizes of the tensors whose memory transactions are counted",
    )
    parser.add_argument(
        "--elements", type=jobs.at_least(1), required=True, help="elements of these tensors"
    )
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, observe, write."""
    arguments = parser().parse_args()
    reason = missing(arguments.program)
    if reason:
        record = records.not_measured(EXPERIMENT, EXPERIMENT, arguments.device, reason)
        records.write(record, arguments.output)
        return
    jobs.run_beside_others(
        EXPERIMENT,
        EXPERIMENT,
        arguments,
        lambda threads: jobs.replicate(
            lambda _: observe(arguments.program, arguments.group_sizes, arguments.elements),
            replicates=1,
            threads=threads,
        ),
    )


if __name__ == "__main__":
    main()
