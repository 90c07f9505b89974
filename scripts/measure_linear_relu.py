"""Time a linear layer with ReLU, eager and compiled: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.linear_relu import Plan, measure


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, required=True, help="rows of the input")
    parser.add_argument("--in-features", type=int, required=True, help="columns of the input")
    parser.add_argument("--out-features", type=int, required=True, help="columns of the output")
    parser.add_argument(
        "--dtypes", nargs="+", choices=["float32", "bfloat16", "float16"], required=True
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    plan = Plan(
        arguments.batch_size,
        arguments.in_features,
        arguments.out_features,
        tuple(arguments.dtypes),
        arguments.processes,
        arguments.rounds,
    )
    jobs.run(
        "linear_relu",
        "linear_relu",
        arguments,
        lambda threads: measure(plan, arguments.device, threads, arguments.seed),
    )


if __name__ == "__main__":
    main()
