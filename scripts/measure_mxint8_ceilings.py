"""Count what the machine code of the CUDA kernels allows at most; write a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.mxint8.ceilings import Unavailable, observe, read
from labs.jobs.arguments import add_record_arguments
from labs.jobs.run import run_once
from labs.records import record

EXPERIMENT = "mxint8_ceilings"


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--program", type=Path, required=True, help="bench/ceilings.py of mxint_cuda"
    )
    parser.add_argument(
        "--cutlass", type=Path, required=True, help="folder of CuTe's headers, if there is one"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, count, write."""
    arguments = parser().parse_args()
    try:
        counted = read(arguments.program, arguments.cutlass)
    except Unavailable as missing:
        absent = record.not_measured(EXPERIMENT, arguments.device, str(missing))
        record.write(absent, arguments.output)
        return
    run_once(EXPERIMENT, arguments, lambda: observe(counted))


if __name__ == "__main__":
    main()
