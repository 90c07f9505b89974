"""Decode and encode MXINT8 by the lab's formulas and exactly; write a record."""

from __future__ import annotations

import argparse

from labs.jobs.arguments import add_record_arguments
from labs.jobs.run import run_once


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, observe, write."""
    arguments = parser().parse_args()
    from labs.experiments.mxint8.formulas import observe  # it imports mxint_cuda

    run_once("mxint8_formulas", arguments, lambda: observe(arguments.device, arguments.seed))


if __name__ == "__main__":
    main()
