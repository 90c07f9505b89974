"""Measure the ranges of the base model's weights, biases and activations; write a record."""

from __future__ import annotations

import argparse

from labs.experiments.compression import bench, ranges
from labs.models import classifiers


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    bench.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, measure, write."""
    arguments = parser().parse_args()
    base = classifiers.load(arguments.model)
    bench.run("ranges", arguments, lambda on: ranges.observe(on, base))


if __name__ == "__main__":
    main()
