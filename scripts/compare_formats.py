"""Quantize the base model to every number format, in both modes: writes a record."""

from __future__ import annotations

import argparse

from labs import classifiers, compression, modes


def main() -> None:
    """Parse, quantize, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    compression.add_arguments(parser)
    arguments = parser.parse_args()
    compression.run(
        "formats",
        "bert-tiny",
        arguments,
        lambda bench: modes.observe(bench, classifiers.load(arguments.model)),
    )


if __name__ == "__main__":
    main()
