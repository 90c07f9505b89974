"""Fine-tune a pretrained encoder fully and with LoRA: writes a record."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from labs import jobs
from labs.lora import Adapters, Sizes, observe
from labs.training import Plan


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--encoder", type=Path, required=True, help="config.json, model.safetensors"
    )
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")
    parser.add_argument("--layers", type=int, required=True, help="layers kept of the encoder")
    parser.add_argument("--max-length", type=int, required=True, help="tokens kept of a review")
    parser.add_argument(
        "--reviews", type=jobs.number_or_all, required=True, help="reviews trained on, or 'all'"
    )
    parser.add_argument(
        "--held-out", type=jobs.number_or_all, required=True, help="reviews tested on, or 'all'"
    )
    parser.add_argument("--seeds", type=jobs.at_least(2), required=True, help="trainings of an arm")
    parser.add_argument("--batch-size", type=int, required=True, help="reviews a batch")
    parser.add_argument("--sft-learning-rate", type=float, required=True, help="its highest value")
    parser.add_argument("--lora-learning-rate", type=float, required=True, help="its highest value")
    parser.add_argument("--rank", type=int, required=True, help="of the adapters; the labs' is 6")
    parser.add_argument("--alpha", type=int, required=True, help="scales them by alpha / rank")
    parser.add_argument("--dropout", type=float, required=True, help="of the adapters' inputs")
    jobs.add_lock_argument(parser)
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, train, write."""
    arguments = parser().parse_args()
    sizes = Sizes(
        arguments.layers,
        arguments.max_length,
        jobs.limit(arguments.reviews),
        jobs.limit(arguments.held_out),
        Adapters(arguments.rank, arguments.alpha, arguments.dropout),
        sft=Plan(1, arguments.sft_learning_rate, arguments.batch_size),
        lora=Plan(1, arguments.lora_learning_rate, arguments.batch_size),
    )
    checkpoints = arguments.output.with_suffix(".checkpoints")
    jobs.run(
        "lora",
        "minilm",
        arguments,
        lambda threads: jobs.replicate(
            lambda number: observe(
                number,
                arguments.encoder,
                arguments.tokens,
                sizes,
                arguments.seed + number,
                arguments.device,
                checkpoints,
            ),
            arguments.seeds,
            threads,
        ),
    )
    shutil.rmtree(checkpoints)


if __name__ == "__main__":
    main()
