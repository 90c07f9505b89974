"""Measure the base model's accuracy before and after MXINT8; write a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.jobs.arguments import (
    add_held_out_arguments,
    add_record_arguments,
    add_tokens_argument,
    at_least,
    limit,
)
from labs.jobs.run import run_once


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="the base model, safetensors")
    add_tokens_argument(parser)
    add_held_out_arguments(parser, "the test split")
    parser.add_argument(
        "--group-size", type=at_least(1), required=True, help="weights that share a scale"
    )
    add_record_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    from labs.experiments.mxint8.accuracy import observe  # it imports mxint_cuda

    run_once(
        "mxint8_accuracy",
        arguments,
        lambda: observe(
            arguments.model,
            arguments.tokens,
            arguments.max_length,
            limit(arguments.held_out),
            arguments.group_size,
            arguments.device,
        ),
    )


if __name__ == "__main__":
    main()
