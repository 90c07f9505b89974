"""Predict and measure the memory of models before and after MXINT8; write a record."""

from __future__ import annotations

import argparse

from labs.experiments.mxint8.shapes import SHAPES
from labs.jobs.arguments import add_record_arguments, at_least
from labs.jobs.run import run_once


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", nargs="+", choices=list(SHAPES), required=True)
    parser.add_argument(
        "--group-size", type=at_least(1), required=True, help="weights that share a scale"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.experiments.mxint8.memory import observe  # it imports mxint_cuda

    run_once(
        "mxint8_memory",
        arguments,
        lambda: observe(arguments.models, arguments.group_size, arguments.device, arguments.seed),
    )


if __name__ == "__main__":
    main()
