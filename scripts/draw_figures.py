"""Draw every figure of the report from its tables, as an SVG with its alternative text."""

import argparse
from pathlib import Path

import pandas as pd
from pandas.errors import EmptyDataError

from labs.figures import published, style
from labs.setup.discovery import modules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=Path, required=True, help="folder of the CSV files")
    parser.add_argument("--devices", nargs="+", required=True, help="the devices measured")
    parser.add_argument("--output-dir", type=Path, required=True, help="folder of the figures")
    arguments = parser.parse_args()
    figures = [figure for module in (published, *modules("figures")) for figure in module.FIGURES]
    names = {name for figure in figures for name in figure.tables}
    tables = {name: read(arguments.tables / f"{name}.csv") for name in names}
    style.apply()
    for figure in figures:
        for name, drawing in figure.drawings(tables, arguments.devices):
            drawing.save(arguments.output_dir, name)


def read(path: Path) -> pd.DataFrame:
    """Return a table; one without records has neither rows nor columns."""
    try:
        return pd.read_csv(path)
    except EmptyDataError:
        return pd.DataFrame()


if __name__ == "__main__":
    main()
