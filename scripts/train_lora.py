"""Fine-tune a pretrained encoder fully and with LoRA; write a record."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from labs.experiments.lora import Adapters, Sizes, observe
from labs.jobs.arguments import (
    add_held_out_arguments,
    add_tokens_argument,
    add_training_arguments,
    at_least,
    limit,
)
from labs.jobs.run import replicate
from labs.jobs.timing import add_timing_arguments, run_alone
from labs.models.optimization import Plan
from labs.records.observations import Observations


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--encoder", type=Path, required=True, help="folder with config.json, model.safetensors"
    )
    add_tokens_argument(parser)
    parser.add_argument("--layers", type=int, required=True, help="encoder layers used")
    add_held_out_arguments(parser, "the test split")
    add_training_arguments(parser)
    parser.add_argument("--seeds", type=at_least(2), required=True, help="trainings per arm")
    parser.add_argument("--sft-learning-rate", type=float, required=True, help="its peak value")
    parser.add_argument("--lora-learning-rate", type=float, required=True, help="its peak value")
    parser.add_argument("--rank", type=int, required=True, help="of the adapters; 6 in the labs")
    parser.add_argument("--alpha", type=int, required=True, help="adapters scale by alpha / rank")
    parser.add_argument("--dropout", type=float, required=True, help="of the adapters' inputs")
    add_timing_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    sizes = Sizes(
        arguments.layers,
        arguments.max_length,
        limit(arguments.reviews),
        limit(arguments.held_out),
        Adapters(arguments.rank, arguments.alpha, arguments.dropout),
        sft=Plan(1, arguments.sft_learning_rate, arguments.batch_size),
        lora=Plan(1, arguments.lora_learning_rate, arguments.batch_size),
    )
    checkpoints = arguments.output.with_suffix(".checkpoints")

    def train(number: int) -> Observations:
        return observe(
            number,
            arguments.encoder,
            arguments.tokens,
            sizes,
            arguments.seed + number,
            arguments.device,
            checkpoints,
        )

    seeds = range(arguments.seeds)
    run_alone("lora", arguments, lambda threads: replicate(train, seeds, threads))
    shutil.rmtree(checkpoints)


if __name__ == "__main__":
    main()
