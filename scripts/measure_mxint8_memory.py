"""Predict and measure the memory of models before and after MXINT8; write a record."""

import argparse

from labs.experiments.mxint8.sizes import MEMORY
from labs.jobs.arguments import add_record_arguments, add_settings
from labs.jobs.run import run_once


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, MEMORY)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    from labs.experiments.mxint8.memory.observe import observe  # it imports mxint_cuda

    run_once("mxint8_memory", arguments, observe)


if __name__ == "__main__":
    main()
