"""Find the ranges of the base model's weights, biases and activations: writes a record."""

from __future__ import annotations

import argparse

from labs import classifiers, compression, ranges


def main() -> None:
    """Parse, look, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    compression.add_arguments(parser)
    arguments = parser.parse_args()
    compression.run(
        "ranges",
        "bert-tiny",
        arguments,
        lambda bench: ranges.observe(bench, classifiers.load(arguments.model)),
    )


if __name__ == "__main__":
    main()
