"""Time attention, naive, compiled and fused, in several number formats: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.attention import Plan, measure


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shape",
        type=int,
        nargs=4,
        required=True,
        metavar=("BATCH", "HEADS", "LENGTH", "DIMENSION"),
        help="the lab's: 32 8 128 64",
    )
    parser.add_argument(
        "--lengths", type=int, nargs="+", required=True, help="sequence lengths of the sweep"
    )
    parser.add_argument("--sweep-batch", type=int, required=True, help="batch size of the sweep")
    parser.add_argument(
        "--dtypes", nargs="+", choices=["float32", "bfloat16", "float16"], required=True
    )
    parser.add_argument(
        "--counts", type=int, nargs="+", required=True, help="call counts n to average over"
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    batch, heads, length, dimension = arguments.shape
    plan = Plan(
        (batch, heads, length, dimension),
        tuple(arguments.lengths),
        arguments.sweep_batch,
        tuple(arguments.dtypes),
        tuple(arguments.counts),
        arguments.processes,
        arguments.rounds,
    )
    jobs.run(
        "attention",
        "attention",
        arguments,
        lambda threads: measure(plan, arguments.device, threads, arguments.seed),
    )


if __name__ == "__main__":
    main()
