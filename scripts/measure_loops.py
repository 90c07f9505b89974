"""Time this project's training loop against transformers' Trainer; write a record."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path

from labs.experiments.loops import Sizes, observe
from labs.jobs.arguments import (
    add_tokens_argument,
    add_training_arguments,
    limit,
    number_or_all,
)
from labs.jobs.processes import add_process_arguments, run_in_processes


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    add_tokens_argument(parser)
    parser.add_argument("--vocabulary", type=Path, required=True, help="vocab.txt")
    add_training_arguments(parser)
    parser.add_argument(
        "--held-out",
        type=number_or_all,
        required=True,
        help="reviews of the validation split, or 'all'",
    )
    parser.add_argument("--learning-rate", type=float, required=True, help="its peak value")
    add_process_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    sizes = Sizes(
        arguments.rounds,
        limit(arguments.reviews),
        limit(arguments.held_out),
        arguments.batch_size,
        arguments.learning_rate,
    )
    files = {name: str(vars(arguments)[name]) for name in ("model", "tokens", "vocabulary")}
    run_in_processes("loops", arguments, observe, {"inputs": files, "sizes": asdict(sizes)})


if __name__ == "__main__":
    main()
