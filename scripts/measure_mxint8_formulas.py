"""Decode and encode MXINT8 by the lab's formulas and exactly; write a record."""

import argparse

from labs.jobs.arguments import add_record_arguments
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    from labs.experiments.mxint8.formulas.observe import observe  # it imports mxint_cuda

    run_once("mxint8_formulas", arguments, observe)


if __name__ == "__main__":
    main()
