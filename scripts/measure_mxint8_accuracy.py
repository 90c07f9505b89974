"""Measure the base model's accuracy before and after MXINT8; write a record."""

import argparse

from labs.experiments.base_model.sizes import BASE_MODEL
from labs.experiments.mxint8.sizes import MEMORY
from labs.jobs.arguments import add_files, add_record_arguments, add_settings
from labs.jobs.run import run_once
from labs.setup.shared import SHARED


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_files(parser, "model", "tokens")
    add_settings(parser, BASE_MODEL, "held-out")
    add_settings(parser, MEMORY, "group-size")
    add_settings(parser, SHARED, "max-length")
    add_record_arguments(parser)
    arguments = parser.parse_args()
    from labs.experiments.mxint8.accuracy.observe import observe  # it imports mxint_cuda

    run_once("mxint8_accuracy", arguments, observe)


if __name__ == "__main__":
    main()
