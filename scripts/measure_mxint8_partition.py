"""Observe how CuTe partitions tensors over blocks and threads; write a record."""

import argparse
from pathlib import Path

from labs.experiments.mxint8.partition.observe import missing, observe
from labs.experiments.mxint8.sizes import PARTITION
from labs.jobs.arguments import add_record_arguments, add_settings
from labs.jobs.run import run_once
from labs.records import record

EXPERIMENT = "mxint8_partition"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--program", type=Path, required=True, help="cute_partition, from the build of mxint_cuda"
    )
    add_settings(parser, PARTITION)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    if reason := missing(arguments.program):
        absent = record.not_measured(EXPERIMENT, arguments.device, reason)
        record.write(absent, arguments.output)
    else:
        run_once(EXPERIMENT, arguments, observe)


if __name__ == "__main__":
    main()
