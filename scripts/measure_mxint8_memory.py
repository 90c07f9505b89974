"""Predict and measure the memory of models before and after MXINT8; write a record."""

import argparse

from labs.jobs.arguments import add_record_arguments, add_settings
from labs.jobs.run import run_once
from labs.setup.experiments.mxint8 import MEMORY


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, MEMORY)
    add_record_arguments(parser)
    arguments = parser.parse_args()
    from labs.experiments.mxint8.memory import observe  # it imports mxint_cuda

    run_once("mxint8_memory", arguments, observe)


if __name__ == "__main__":
    main()
