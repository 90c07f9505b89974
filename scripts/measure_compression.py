"""Time fake-quantized training steps, and pruned models at inference: writes a record."""

from __future__ import annotations

import argparse

from labs import jobs
from labs.compression_speed import Sizes, measure


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, required=True, help="reviews a batch")
    parser.add_argument("--sequence-length", type=int, required=True, help="tokens a review")
    parser.add_argument(
        "--hidden-sizes", type=int, nargs="+", required=True, help="of the models that train"
    )
    parser.add_argument(
        "--sparsities", type=float, nargs="+", required=True, help="of the models that infer"
    )
    jobs.add_common_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    sizes = Sizes(
        arguments.batch_size,
        arguments.sequence_length,
        tuple(arguments.hidden_sizes),
        tuple(arguments.sparsities),
        arguments.rounds,
    )
    jobs.run(
        "compression_speed",
        "bert-tiny",
        arguments,
        lambda threads: measure(
            sizes, arguments.processes, arguments.device, threads, arguments.seed
        ),
    )


if __name__ == "__main__":
    main()
