"""Time fake-quantized training steps, and pruned models at inference; write a record."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from labs.experiments.compression.speed import Sizes, observe
from labs.jobs.processes import add_process_arguments, run_in_processes


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batch-size", type=int, required=True, help="reviews per batch")
    parser.add_argument("--sequence-length", type=int, required=True, help="tokens per review")
    parser.add_argument(
        "--hidden-sizes", type=int, nargs="+", required=True, help="of the models trained"
    )
    parser.add_argument(
        "--sparsities", type=float, nargs="+", required=True, help="of the pruned models"
    )
    add_process_arguments(parser)
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
    inputs = {"sizes": asdict(sizes)}
    run_in_processes("compression_speed", arguments, observe, inputs, across=("way", "sparsity"))


if __name__ == "__main__":
    main()
