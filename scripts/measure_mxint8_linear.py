"""Time linear layers in float32, BF16 and MXINT8; count bytes and operations; write a record."""

from __future__ import annotations

import argparse

from labs.jobs.arguments import at_least
from labs.jobs.processes import add_process_arguments, run_in_processes


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shape",
        type=at_least(1),
        nargs=2,
        required=True,
        metavar=("IN", "OUT"),
        help="columns of the input and of the output",
    )
    parser.add_argument(
        "--batches", type=at_least(1), nargs="+", required=True, help="rows of the input"
    )
    parser.add_argument(
        "--group-size", type=at_least(1), required=True, help="inputs that share a scale"
    )
    add_process_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.experiments.mxint8.linear import observe  # it imports mxint_cuda

    inputs = {
        "shape": arguments.shape,
        "batches": arguments.batches,
        "group_size": arguments.group_size,
        "rounds": arguments.rounds,
    }
    run_in_processes("mxint8_linear", arguments, observe, inputs)


if __name__ == "__main__":
    main()
