"""Quantize the base model to fixed-point formats, and fine-tune it in them; write a record."""

import argparse
from pathlib import Path

from labs.experiments.compression import bench
from labs.experiments.compression.quantization import observe as quantization
from labs.experiments.compression.sizes import COMPRESSION, FORMATS
from labs.jobs.arguments import add_settings, taken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_settings(parser, COMPRESSION, *FORMATS)
    parser.add_argument(
        "--keep", type=Path, required=True, help="file for the model chosen among widths"
    )
    bench.add_arguments(parser, trains=True)
    arguments = parser.parse_args()
    curves = quantization.curves(**taken(arguments, quantization.curves))
    bench.run("quantization", arguments, quantization.observe, curves=curves)


if __name__ == "__main__":
    main()
