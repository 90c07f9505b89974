"""Curves against the trial, in percent, each with its band: what the search's figures share."""

import pandas as pd
from matplotlib.axes import Axes

from labs.figures.style import COLOURS

STYLES = ("-", "--", ":")
MARKERS = ("s", "o", "^")


def curve(axes: Axes, rows: pd.DataFrame, column: str, place: int, label: str) -> None:
    """Draw a column against the trial, in percent, and its bounds as a band."""
    colour = COLOURS[(0, 2, 3)[place]]
    low, high = rows[f"{column}_low"] * 100, rows[f"{column}_high"] * 100
    axes.fill_between(rows["trial"], low, high, color=colour, alpha=0.15, lw=0)
    axes.plot(
        rows["trial"],
        rows[column] * 100,
        STYLES[place],
        marker=MARKERS[place],
        ms=3,
        color=colour,
        label=label,
    )
