"""Curves against the trial, in percent, each with its band: what the search's figures share."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from labs.figures.style import COLOURS

STYLES = ("-", "--", ":")
MARKERS = ("s", "o", "^")


def curve(axes: Axes, rows: pd.DataFrame, column: str, place: int, label: str) -> None:
    """Draw a column against the trial, in percent, and its bounds as a band."""
    colour = COLOURS[(0, 2, 3)[place]]
    low, middle, high = (rows[f"{column}{bound}"] * 100 for bound in ("_low", "", "_high"))
    axes.fill_between(rows["trial"], low, high, color=colour, alpha=0.15, lw=0)
    style = {"ls": STYLES[place], "marker": MARKERS[place], "ms": 3, "color": colour}
    axes.plot(rows["trial"], middle, label=label, **style)


def against_trials(axes: Axes) -> None:
    """Label the horizontal axis, whose ticks are whole numbers."""
    axes.set_xlabel("trial")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
