"""Draw every figure of the report from its tables, as an SVG with its alternative text."""

import argparse
from pathlib import Path

from labs.figures.files import draw


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--devices", nargs="+", required=True, help="the devices measured")
    parser.add_argument("--output-dir", type=Path, required=True, help="folder of the figures")
    arguments = parser.parse_args()
    draw(arguments.tables, arguments.devices, arguments.output_dir)


if __name__ == "__main__":
    main()
