"""The figures of the report as files, drawn from tables that are files."""

from collections.abc import Collection, Sequence
from pathlib import Path

import pandas as pd
from pandas.errors import EmptyDataError

from labs.figures import published, style
from labs.setup.discovery import modules


def draw(
    tables: Path, devices: Sequence[str], output: Path, changed: Collection[str] | None = None
) -> None:
    """Draw every figure, or those that show one of the ``changed`` tables, for these devices."""
    figures = [figure for module in (published, *modules("figures")) for figure in module.FIGURES]
    if changed is not None:
        figures = [figure for figure in figures if set(changed) & set(figure.tables)]
    style.apply()
    for figure in figures:
        read = {name: _read(tables / f"{name}.csv") for name in figure.tables}
        for name, drawing in figure.drawings(read, devices):
            drawing.save(output, name)


def _read(path: Path) -> pd.DataFrame:
    """Return a table; one without records has neither rows nor columns."""
    try:
        return pd.read_csv(path)
    except EmptyDataError:
        return pd.DataFrame()
