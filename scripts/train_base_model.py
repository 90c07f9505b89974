"""Train the base model on the reviews; write its weights and a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments import base_model
from labs.jobs.arguments import (
    add_held_out_arguments,
    add_record_arguments,
    add_tokens_argument,
    add_training_arguments,
    limit,
)
from labs.jobs.run import run_once
from labs.models import classifiers
from labs.models.optimization import Plan


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_tokens_argument(parser)
    parser.add_argument(
        "--source", choices=["scratch", "hub", "path"], required=True, help="initial weights"
    )
    parser.add_argument("--name", required=True, help="hub: the model's name; path: its folder")
    add_held_out_arguments(parser, "each of the validation and test splits")
    add_training_arguments(parser)
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("--learning-rate", type=float, required=True, help="its peak value")
    parser.add_argument(
        "--least-accuracy", type=float, required=True, help="validation accuracy required"
    )
    parser.add_argument("--model", type=Path, required=True, help="weights to write, safetensors")
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    sizes = base_model.Sizes(
        arguments.max_length,
        limit(arguments.reviews),
        limit(arguments.held_out),
        Plan(arguments.epochs, arguments.learning_rate, arguments.batch_size),
        arguments.least_accuracy,
    )
    model = base_model.first_weights(arguments.source, arguments.name, arguments.seed)
    checkpoint = arguments.model.with_suffix(".checkpoint")
    run_once(
        "base_model",
        arguments,
        lambda: base_model.observe(
            model, arguments.tokens, sizes, arguments.seed, arguments.device, checkpoint
        ),
    )
    classifiers.save(model, arguments.model)
    checkpoint.unlink()


if __name__ == "__main__":
    main()
