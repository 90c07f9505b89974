"""Quantize the base model to fixed-point formats, and fine-tune it in them; write a record."""

import argparse
from pathlib import Path

from labs.experiments.compression import bench, quantization
from labs.jobs.arguments import at_least, taken
from labs.models import fixed_point
from labs.records.names.quantization import CURVES, FLOAT32


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--curve", choices=CURVES, required=True, help="the curve's name")
    parser.add_argument(
        "--formats", type=_format, nargs="+", required=True, help="such as 8:4, or float32"
    )
    parser.add_argument(
        "--epochs", type=at_least(0), nargs="+", required=True, help="of fine-tuning; 0 is PTQ"
    )
    parser.add_argument("--learning-rates", type=float, nargs="+", required=True)
    parser.add_argument("--keep", type=Path, help="file for the chosen model, safetensors")
    bench.add_arguments(parser, trains=True)
    arguments = parser.parse_args()
    curve = quantization.Curve(name=arguments.curve, **taken(arguments, quantization.Curve))
    bench.run("quantization", arguments, quantization.observe, curve=curve)


def _format(text: str) -> str:
    if text != FLOAT32:
        fixed_point.integer(text)
    return text


if __name__ == "__main__":
    main()
