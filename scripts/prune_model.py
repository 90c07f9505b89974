"""Prune the quantized model to several sparsities, and train it afterwards: writes a record."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

from labs import classifiers, compression, fixed_point, jobs, sparse
from labs.pruning import Method, Scope


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", choices=get_args(Method), required=True)
    parser.add_argument(
        "--scope", choices=get_args(Scope), required=True, help="ranked in a layer, or in all"
    )
    parser.add_argument("--of", choices=get_args(sparse.Ranked), required=True)
    parser.add_argument("--sparsities", type=_share, nargs="+", required=True)
    parser.add_argument(
        "--epochs", type=jobs.at_least(0), required=True, help="of training after pruning"
    )
    parser.add_argument("--learning-rate", type=float, required=True)
    parser.add_argument(
        "--quantized", type=Path, required=True, help="weights to prune, safetensors"
    )
    parser.add_argument(
        "--chosen", type=Path, required=True, help="the record that names their format"
    )
    compression.add_training_arguments(parser)
    return parser


def main() -> None:
    """Parse, prune, train, write."""
    arguments = parser().parse_args()
    curve = sparse.Curve(
        arguments.method,
        arguments.scope,
        arguments.of,
        tuple(arguments.sparsities),
        arguments.epochs,
        arguments.learning_rate,
    )
    spelled = fixed_point.chosen(arguments.chosen)
    compression.run(
        "pruning",
        curve.name,
        arguments,
        lambda bench: sparse.observe(
            bench,
            classifiers.load(arguments.model),
            fixed_point.quantized(classifiers.load(arguments.quantized), spelled),
            curve,
        ),
    )


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to below 1")
    return share


if __name__ == "__main__":
    main()
