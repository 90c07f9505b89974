"""Measure the ranges of the base model's weights, biases and activations; write a record."""

import argparse

from labs.experiments.compression import bench
from labs.experiments.compression.ranges import observe as ranges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    bench.add_arguments(parser)
    bench.run("ranges", parser.parse_args(), ranges.observe)


if __name__ == "__main__":
    main()
