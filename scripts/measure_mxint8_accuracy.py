"""Measure the base model's accuracy before and after MXINT8: writes a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs import jobs


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    parser.add_argument("--tokens", type=Path, required=True, help="tokens, label, split: Parquet")
    parser.add_argument("--max-length", type=int, required=True, help="tokens kept of a review")
    parser.add_argument(
        "--held-out",
        type=jobs.number_or_all,
        required=True,
        help="reviews of the test split, or 'all'",
    )
    parser.add_argument(
        "--group-size", type=jobs.at_least(1), required=True, help="weights that share a scale"
    )
    jobs.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.mxint8.accuracy import observe  # it imports mxint_cuda

    jobs.run_beside_others(
        "mxint8_accuracy",
        "bert-tiny",
        arguments,
        lambda threads: jobs.replicate(
            lambda _: observe(
                arguments.model,
                arguments.tokens,
                arguments.max_length,
                jobs.limit(arguments.held_out),
                arguments.group_size,
                arguments.device,
            ),
            replicates=1,
            threads=threads,
        ),
    )


if __name__ == "__main__":
    main()
