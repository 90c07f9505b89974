"""Time the labs' training loop against transformers' Trainer: writes a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs import jobs
from labs.loops import Inputs, Sizes, measure


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")
    parser.add_argument("--vocabulary", type=Path, required=True, help="vocab.txt")
    parser.add_argument(
        "--reviews", type=jobs.number_or_all, required=True, help="reviews trained on, or 'all'"
    )
    parser.add_argument(
        "--held-out",
        type=jobs.number_or_all,
        required=True,
        help="reviews of the validation split, or 'all'",
    )
    parser.add_argument("--batch-size", type=int, required=True, help="reviews a batch")
    parser.add_argument("--learning-rate", type=float, required=True, help="its highest value")
    jobs.add_timing_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    inputs = Inputs(str(arguments.model), str(arguments.tokens), str(arguments.vocabulary))
    sizes = Sizes(
        jobs.limit(arguments.reviews),
        jobs.limit(arguments.held_out),
        arguments.batch_size,
        arguments.learning_rate,
    )
    jobs.run(
        "loops",
        "bert-tiny",
        arguments,
        lambda threads: measure(
            inputs, sizes, arguments.processes, arguments.device, threads, arguments.seed
        ),
    )


if __name__ == "__main__":
    main()
