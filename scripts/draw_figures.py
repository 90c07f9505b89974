"""Draw every figure of the report from its tables: an SVG and its alternative text each."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from reporting.figures import attention, compilation, style
from reporting.figures.arms import draw_arms

EXPERIMENTS = ("compilation_", "attention_", "linear_relu_")
"""How the names of the tables begin that are drawn."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of this program's arguments."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--devices", nargs="+", required=True, help="the devices measured")
    parser.add_argument("--output-dir", type=Path, required=True, help="folder of the figures")
    return parser


def main() -> None:
    """Parse, read, draw."""
    arguments = parser().parse_args()
    tables = {
        path.stem: pd.read_csv(path)
        for path in sorted(arguments.tables.glob("*.csv"))
        if path.stem.startswith(EXPERIMENTS)
    }
    style.apply()
    for device in arguments.devices:
        compilation.draw(tables, device, arguments.output_dir)
        attention.draw(tables, device, arguments.output_dir)
        linear_relu = tables["linear_relu_time"]
        draw_arms(
            linear_relu[linear_relu["device"] == device],
            f"linear_relu_time_{device}",
            arguments.output_dir,
        )


if __name__ == "__main__":
    main()
