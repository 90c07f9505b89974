"""How every figure looks, and how it is saved: an SVG, its alternative text beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import pandas as pd
import seaborn as sns
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from labs.files import write_text

matplotlib.use("svg")

FONTS = Path(__file__).parents[3] / "report" / "fonts"
WIDTH = 6.3
"""Inches: the text width of the page."""

COLOURS = sns.color_palette("colorblind")
ARM_COLOURS = {
    "eager": COLOURS[7],
    "compiled": COLOURS[0],
    "naive": COLOURS[7],
    "fused": COLOURS[0],
}
MARKERS = {"eager": "o", "compiled": "s", "naive": "o", "fused": "s"}
DTYPE_COLOURS = {"float32": COLOURS[0], "bfloat16": COLOURS[3], "float16": COLOURS[2]}
DTYPE_MARKERS = {"float32": "o", "bfloat16": "^", "float16": "s"}


def apply() -> None:
    """Set fonts and lines for all figures; equal data give equal bytes."""
    for font in FONTS.glob("IBMPlexSans*.ttf"):
        font_manager.fontManager.addfont(font)
    sns.set_theme(
        style="ticks",
        rc={
            "font.family": "IBM Plex Sans",
            "font.size": 8,
            "axes.labelsize": 8,
            "axes.titlesize": 8.5,
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
            "svg.hashsalt": "labs",
            "svg.fonttype": "none",
        },
    )


def save(figure: Figure, folder: Path, name: str, alt: str) -> None:
    """Write ``name``.svg and, beside it, ``name``.json with the alternative text."""
    drawn = StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None}, bbox_inches="tight")
    write_text(folder / f"{name}.svg", drawn.getvalue())
    write_text(folder / f"{name}.json", json.dumps({"alt": alt}) + "\n")
    plt.close(figure)


def dots(
    axes: Axes,
    table: pd.DataFrame,
    labels: Sequence[str],
    value: str = "seconds",
    scale: float = 1.0,
    colours: Sequence[object] | None = None,
) -> None:
    """Draw one horizontal dot with its interval a row, the first row on top."""
    places = range(len(table))
    for place, (_, row) in zip(places, table.iterrows(), strict=True):
        colour = colours[place] if colours else COLOURS[0]
        bounds = row[[f"{value}_low", f"{value}_high"]]
        if bounds.notna().all():
            axes.plot(bounds * scale, [place, place], color=colour, lw=1.2)
        axes.plot([row[value] * scale], [place], "o", color=colour)
    axes.set_yticks(list(places), labels)
    axes.set_ylim(len(table) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)


def clip_to_values(axes: Axes, values: pd.Series) -> None:
    """Start at zero, and keep a very wide interval from squeezing the points into a corner."""
    axes.set_xlim(0.0, min(axes.get_xlim()[1], 3.0 * float(values.max())))


def spoken(seconds: float) -> str:
    """Return a time as words for alternative texts."""
    for limit, factor, unit in ((1e-3, 1e6, "microseconds"), (1.0, 1e3, "milliseconds")):
        if seconds < limit:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds:.3g} seconds"
