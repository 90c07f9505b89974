"""Time attention and linear + ReLU, as written, compiled and fused; write a record."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from labs.experiments.fusion import attention, linear_relu
from labs.experiments.fusion.experiment import observe
from labs.jobs.processes import add_process_arguments, run_in_processes
from labs.records.names.timing import FEWEST_COMPILED

DTYPES = ["float32", "bfloat16", "float16"]


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    part = parser.add_argument_group("attention")
    part.add_argument(
        "--shape",
        type=int,
        nargs=4,
        required=True,
        metavar=("BATCH", "HEADS", "LENGTH", "DIMENSION"),
        help="the lab's: 32 8 128 64",
    )
    part.add_argument(
        "--lengths", type=int, nargs="+", required=True, help="sequence lengths of the sweep"
    )
    part.add_argument("--sweep-batch", type=int, required=True, help="batch size of the sweep")
    part.add_argument("--dtypes", nargs="+", choices=DTYPES, required=True)
    part.add_argument(
        "--counts", type=int, nargs="+", required=True, help="call counts n to average over"
    )
    part = parser.add_argument_group("linear + ReLU")
    part.add_argument(
        "--linear-shape",
        type=int,
        nargs=3,
        required=True,
        metavar=("BATCH", "IN", "OUT"),
        help="rows and columns of the input, columns of the output",
    )
    part.add_argument("--linear-dtypes", nargs="+", choices=DTYPES, required=True)
    add_process_arguments(parser, FEWEST_COMPILED)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    batch, heads, length, dimension = arguments.shape
    rows, columns, out = arguments.linear_shape
    attention_sizes = attention.Sizes(
        (batch, heads, length, dimension),
        tuple(arguments.lengths),
        arguments.sweep_batch,
        tuple(arguments.dtypes),
        tuple(arguments.counts),
    )
    linear_relu_sizes = linear_relu.Sizes((rows, columns, out), tuple(arguments.linear_dtypes))
    inputs = {
        "attention_sizes": asdict(attention_sizes),
        "linear_relu_sizes": asdict(linear_relu_sizes),
        "rounds": arguments.rounds,
    }
    run_in_processes("fusion", arguments, observe, inputs, compiles=True, narrows=True)


if __name__ == "__main__":
    main()
