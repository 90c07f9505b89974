"""Fine-tune a classifier fully and with LoRA, with one seed; write a record."""

from __future__ import annotations

import argparse
import shutil

from labs.experiments.lora.training import Inputs, observe
from labs.experiments.lora.ways import add_ways_arguments, ways_of
from labs.experiments.seeds import seed_of
from labs.jobs.arguments import add_record_arguments, at_least, limit, number_or_all
from labs.jobs.run import replicate, run


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    add_ways_arguments(parser)
    parser.add_argument(
        "--reviews", type=number_or_all, required=True, help="training reviews, or 'all'"
    )
    parser.add_argument(
        "--held-out", type=number_or_all, required=True, help="reviews of the test split, or 'all'"
    )
    parser.add_argument(
        "--replicate", type=at_least(0), required=True, help="its number, which gives the seed"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    inputs = Inputs(
        arguments.encoder, arguments.tokens, limit(arguments.reviews), limit(arguments.held_out)
    )
    ways, checkpoints = ways_of(arguments), arguments.output.with_suffix(".checkpoints")
    run(
        "lora",
        arguments,
        lambda threads: replicate(
            lambda number: observe(
                number,
                inputs,
                ways,
                seed_of(arguments.seed, number),
                arguments.device,
                checkpoints,
            ),
            [arguments.replicate],
            threads,
        ),
    )
    shutil.rmtree(checkpoints)


if __name__ == "__main__":
    main()
