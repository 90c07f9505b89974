"""Search for the format of each linear layer of the base model: writes the record of one part.

A killed search goes on with the same command: it finds what was evaluated.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.precision import parts
from labs.experiments.precision.bench import Bench, Sizes
from labs.jobs.arguments import (
    add_held_out_arguments,
    add_record_arguments,
    add_tokens_argument,
    add_training_arguments,
    at_least,
    limit,
    number_or_all,
)
from labs.jobs.run import replicate, run
from labs.models.optimization import Plan
from labs.records.names.precision import PARTS
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, required=True, help="which searches")
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    add_tokens_argument(parser)
    add_held_out_arguments(parser, "each of the validation and test splits")
    parser.add_argument(
        "--trial-reviews",
        type=number_or_all,
        required=True,
        help="validation reviews that trials are judged on, or 'all'",
    )
    add_training_arguments(parser)
    parser.add_argument("--learning-rate", type=float, required=True, help="its highest value")
    parser.add_argument("--trials", type=at_least(1), required=True, help="of each search")
    parser.add_argument(
        "--startup", type=at_least(1), required=True, help="trials drawn at random first"
    )
    parser.add_argument(
        "--finalists", type=at_least(1), required=True, help="judged on all of validation"
    )
    parser.add_argument(
        "--widths", type=at_least(2), nargs="+", required=True, help="bits of formats with a width"
    )
    parser.add_argument(
        "--penalties", type=float, nargs="+", required=True, help="accuracy an average bit costs"
    )
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )
    parser.add_argument(
        "--studies", type=Path, required=True, help="folder that keeps the evaluations"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, search, write."""
    arguments = parser().parse_args()
    sizes = Sizes(
        arguments.max_length,
        limit(arguments.trial_reviews),
        limit(arguments.held_out),
        limit(arguments.reviews),
        Plan(1, arguments.learning_rate, arguments.batch_size),
    )
    counts = parts.Sizes(
        arguments.trials,
        arguments.startup,
        arguments.finalists,
        tuple(arguments.widths),
        tuple(arguments.penalties),
    )

    def observe(number: int) -> Observations:
        bench = Bench(
            arguments.tokens,
            arguments.model,
            sizes,
            arguments.seed,
            number,
            arguments.device,
            arguments.studies,
        )
        return parts.Part(bench, number, counts).observe(arguments.part)

    run(
        "precision",
        arguments,
        lambda threads: replicate(observe, [arguments.replicate], threads),
    )


if __name__ == "__main__":
    main()
