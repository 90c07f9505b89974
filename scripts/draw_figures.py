"""Draw every figure of the report from its tables: an SVG and its alternative text each."""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from pandas.errors import EmptyDataError

from reporting.figures import compilation, mxint8, style, training
from reporting.figures.compression import pruning, quantization
from reporting.figures.fusion import attention, linear_relu
from reporting.figures.graphs import figures as graphs

DRAWINGS = (
    compilation.draw,
    attention.draw,
    linear_relu.draw,
    mxint8.draw,
    graphs.draw,
    training.draw,
    quantization.draw,
    pruning.draw,
)
NOT_DRAWN = ("values", "machine", "settings", "jobs")


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
        path.stem: read(path)
        for path in sorted(arguments.tables.glob("*.csv"))
        if path.stem not in NOT_DRAWN
    }
    style.apply()
    for device in arguments.devices:
        for draw in DRAWINGS:
            draw(tables, device, arguments.output_dir)


def read(path: Path) -> pd.DataFrame:
    """Return a table; one that no record feeds has neither rows nor columns."""
    try:
        return pd.read_csv(path)
    except EmptyDataError:
        return pd.DataFrame()


if __name__ == "__main__":
    main()
