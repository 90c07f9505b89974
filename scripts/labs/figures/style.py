"""The style of all figures: fonts, colours, sizes."""

from collections.abc import Iterable
from pathlib import Path

import matplotlib
import pandas as pd
import seaborn as sns
from matplotlib import font_manager
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.transforms import offset_copy

matplotlib.use("svg")

FONTS = Path(__file__).parents[3] / "report" / "fonts"
WIDTH, WHOLE = 4.45, 6.6
"""In inches: a figure whose caption stands beside it, and one as wide as the page."""

COLOURS = sns.color_palette("colorblind")
HATCHES = ("", "/////", "-----", "\\\\\\\\\\", "xxxxx")
"""What tells the parts of a bar apart in grey."""
DTYPE_COLOURS = {"float32": COLOURS[0], "bfloat16": COLOURS[3], "float16": COLOURS[2]}


def apply() -> None:
    """Set fonts and lines for all figures, and make equal data give equal bytes."""
    for font in FONTS.glob("IBMPlexSans*.ttf"):
        font_manager.fontManager.addfont(font)
    sns.set_theme(
        style="ticks",
        rc={
            "font.family": "IBM Plex Sans",
            "figure.constrained_layout.use": True,
            "font.size": 8,
            "axes.labelsize": 8,
            "axes.titlesize": 8,
            "axes.titleweight": "semibold",
            "axes.titlelocation": "left",
            "xtick.labelsize": 7.5,
            "ytick.labelsize": 7.5,
            "legend.fontsize": 7.5,
            "legend.frameon": False,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e4e4e4",
            "grid.linewidth": 0.6,
            "axes.axisbelow": True,
            "lines.linewidth": 1.4,
            "lines.markersize": 4.5,
            "hatch.color": "white",
            "hatch.linewidth": 0.6,
            "svg.hashsalt": "labs",
            "svg.fonttype": "none",
        },
    )


def rows_by(table: pd.DataFrame, column: str) -> list[tuple[str, pd.DataFrame]]:
    """Return each value of a column with its rows, for figures with one panel per value."""
    return [(str(value), rows) for value, rows in table.groupby(column, sort=False)]


def move_aside(axes: Axes, artists: Iterable[Artist], points: float) -> None:
    """Shift artists to the right, so that intervals stand side by side.

    Data and axis limits do not change.
    """
    moved = offset_copy(axes.transData, axes.get_figure(root=True), x=points, units="points")
    for artist in artists:
        artist.set_transform(moved)


def spoken(seconds: float) -> str:
    """Return a time in words, for alternative texts."""
    for limit, factor, unit in ((1e-3, 1e6, "microseconds"), (1.0, 1e3, "milliseconds")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} seconds"
