"""Prune the quantized model to several sparsities, and fine-tune it; write a record."""

import argparse
from pathlib import Path

from labs.experiments.compression import bench
from labs.experiments.compression.pruning import observe as pruning
from labs.experiments.compression.sizes import COMPRESSION, PRUNING
from labs.jobs.arguments import add_settings, taken
from labs.models import fixed_point


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, COMPRESSION, *PRUNING)
    parser.add_argument(
        "--quantized", type=Path, required=True, help="the model to prune, safetensors"
    )
    bench.add_arguments(parser, trains=True)
    arguments = parser.parse_args()
    curves = pruning.curves(**taken(arguments, pruning.curves))
    quantized = fixed_point.load(arguments.quantized)
    bench.run("pruning", arguments, pruning.observe, curves=curves, quantized=quantized)


if __name__ == "__main__":
    main()
