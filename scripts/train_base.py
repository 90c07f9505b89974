"""Train the base model on the reviews: writes its weights and a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs import base, classifiers, jobs
from labs.training import Plan


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")
    parser.add_argument(
        "--source", choices=["scratch", "hub", "path"], required=True, help="the first weights"
    )
    parser.add_argument("--name", required=True, help="hub: the model's name; path: its folder")
    parser.add_argument("--max-length", type=int, required=True, help="tokens kept of a review")
    parser.add_argument(
        "--reviews", type=jobs.number_or_all, required=True, help="reviews trained on, or 'all'"
    )
    parser.add_argument(
        "--held-out",
        type=jobs.number_or_all,
        required=True,
        help="reviews of the validation and of the test split, or 'all'",
    )
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("--batch-size", type=int, required=True, help="reviews a batch")
    parser.add_argument("--learning-rate", type=float, required=True, help="its highest value")
    parser.add_argument(
        "--least-accuracy", type=float, required=True, help="below it the program fails"
    )
    parser.add_argument("--model", type=Path, required=True, help="the weights, safetensors")
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    sizes = base.Sizes(
        arguments.max_length,
        jobs.limit(arguments.reviews),
        jobs.limit(arguments.held_out),
        Plan(arguments.epochs, arguments.learning_rate, arguments.batch_size),
        arguments.least_accuracy,
    )
    model = base.first_weights(arguments.source, arguments.name, arguments.seed)
    checkpoint = arguments.model.with_suffix(".checkpoint.safetensors")
    jobs.run_beside_others(
        "base",
        "bert-tiny",
        arguments,
        lambda threads: jobs.replicate(
            lambda _: base.observe(
                model, arguments.tokens, sizes, arguments.seed, arguments.device, checkpoint
            ),
            1,
            threads,
        ),
    )
    classifiers.save(model, arguments.model)
    checkpoint.unlink()


if __name__ == "__main__":
    main()
