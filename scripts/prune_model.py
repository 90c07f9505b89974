"""Prune the quantized model to several sparsities, and fine-tune it; write a record."""

import argparse
from pathlib import Path

from labs.experiments.compression import bench, pruning
from labs.jobs.arguments import at_least, taken
from labs.models import fixed_point
from labs.records.names.pruning import CURVES


def main() -> None:
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
    bench.add_arguments(parser, trains=True)
    arguments = parser.parse_args()
    curve = pruning.Curve(name=arguments.curve, **taken(arguments, pruning.Curve))
    quantized = fixed_point.load(arguments.quantized)
    bench.run("pruning", arguments, pruning.observe, curve=curve, quantized=quantized)


def _share(text: str) -> float:
    share = float(text)
    if not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to below 1")
    return share


if __name__ == "__main__":
    main()
