"""Quantize the base model to every number format, in both modes; write a record."""

from __future__ import annotations

import argparse

from labs.experiments.compression import bench, formats
from labs.models import classifiers


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    bench.add_arguments(parser)
    return parser


def main() -> None:
    """Parse, quantize, write."""
    arguments = parser().parse_args()
    base = classifiers.load(arguments.model)
    bench.run("formats", arguments, lambda on: formats.observe(on, base))


if __name__ == "__main__":
    main()
