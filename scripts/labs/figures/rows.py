"""Charts with a row for each row of a table: dots with intervals, and stacked bars."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from labs.figures.style import COLOURS, HATCHES


def name_rows(axes: Axes, labels: Iterable[object]) -> None:
    """Label the rows, the first one on top."""
    names = [str(label) for label in labels]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def dots(
    axes: Axes,
    table: pd.DataFrame,
    labels: Iterable[object],
    value: str = "seconds",
    scale: float = 1.0,
    colours: Sequence[object] | None = None,
) -> None:
    """Draw one dot with a horizontal interval per row of the table."""
    for place, (_, row) in enumerate(table.iterrows()):
        colour = colours[place] if colours else COLOURS[0]
        bounds = row[[f"{value}_low", f"{value}_high"]]
        if bounds.notna().all():
            axes.plot(bounds * scale, [place, place], color=colour, lw=1.2)
        axes.plot([row[value] * scale], [place], "o", color=colour)
    name_rows(axes, labels)


def time_dots(
    axes: Axes,
    table: pd.DataFrame,
    labels: Iterable[object],
    colours: Sequence[object] | None = None,
) -> None:
    """Draw the time of each row with `dots`, in milliseconds, on an axis from zero."""
    dots(axes, table, labels, scale=1e3, colours=colours)
    # However wide an interval is, the points span at least a third of the axis.
    axes.set_xlim(0.0, min(axes.get_xlim()[1], 3.0 * float(table["seconds"].max() * 1e3)))


def stacked_bars(axes: Axes, table: pd.DataFrame, colours: Mapping[str, Any]) -> None:
    """Draw one bar per row of the table, with a part for each of its columns that has a colour."""
    left = np.zeros(len(table))
    for (part, colour), hatch in zip(colours.items(), cycle(HATCHES), strict=False):
        if part in table:
            style = {"color": colour, "hatch": hatch, "label": part}
            axes.barh(range(len(table)), table[part], left=left, height=0.62, lw=0, **style)
            left += table[part].to_numpy()
    name_rows(axes, table.index)
