"""Decode and encode MXINT8 by the lab's formulas and exactly: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.mxint8.formulas import observe


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    jobs.add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, observe, write."""
    arguments = parser().parse_args()
    jobs.run_once("mxint8_formulas", "cpu", arguments, lambda: observe(arguments.seed))


if __name__ == "__main__":
    main()
