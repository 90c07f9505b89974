"""Time linear layers in float32, BF16 and MXINT8, and count what they move: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shape",
        type=jobs.at_least(1),
        nargs=2,
        required=True,
        metavar=("IN", "OUT"),
        help="columns of the input and of the output",
    )
    parser.add_argument(
        "--batches", type=jobs.at_least(1), nargs="+", required=True, help="rows of the input"
    )
    parser.add_argument(
        "--group-size", type=jobs.at_least(1), required=True, help="inputs that share a scale"
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.mxint8.linear import Plan, measure  # it imports mxint_cuda

    inputs, outputs = arguments.shape
    plan = Plan(
        inputs,
        outputs,
        arguments.batches,
        arguments.group_size,
        arguments.processes,
        arguments.rounds,
    )
    jobs.run(
        "mxint8_linear",
        "mxint8_linear",
        arguments,
        lambda threads: measure(plan, arguments.device, threads, arguments.seed),
    )


if __name__ == "__main__":
    main()
