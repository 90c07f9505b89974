"""Quantize the base model to every number format, in both modes; write a record."""

import argparse

from labs.experiments.compression import bench
from labs.experiments.compression.formats import observe as formats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    bench.add_arguments(parser)
    bench.run("formats", parser.parse_args(), formats.observe)


if __name__ == "__main__":
    main()
