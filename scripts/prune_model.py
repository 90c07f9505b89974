"""Prune the quantized model to several sparsities, and fine-tune it; write a record."""

from __future__ import annotations

import argparse
from pathlib import Path

from labs.experiments.compression import bench, pruning
from labs.jobs.arguments import at_least
from labs.models import classifiers, fixed_point
from labs.records.names.pruning import CURVES


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--curve", choices=CURVES, required=True, help="what is pruned, and how")
    parser.add_argument("--sparsities", type=_share, nargs="+", required=True)
    parser.add_argument(
        "--epochs", type=at_least(0), required=True, help="of fine-tuning after pruning"
    )
    parser.add_argument("--learning-rate", type=float, required=True)
    parser.add_argument(
        "--quantized", type=Path, required=True, help="the model to prune, safetensors"
    )
    bench.add_training_arguments(parser)
    return parser


def main() -> None:
    """Parse, prune, train, write."""
    arguments = parser().parse_args()
    curve = pruning.Curve(
        arguments.curve, tuple(arguments.sparsities), arguments.epochs, arguments.learning_rate
    )
    base = classifiers.load(arguments.model)
    quantized = fixed_point.load(arguments.quantized)
    bench.run("pruning", arguments, lambda on: pruning.observe(on, base, quantized, curve))


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to below 1")
    return share


if __name__ == "__main__":
    main()
