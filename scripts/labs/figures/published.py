"""Figure of published numbers beside the same quantities measured here."""

from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullLocator

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import dots
from labs.figures.style import COLOURS, WHOLE, rows_by

MARKERS = {"A": "o", "B": "D", "C": "s", "D": "^", "L": "v"}
"""One hollow mark a report; the lab's own is L."""
HOLLOW: dict[str, Any] = {"ls": "", "mfc": "none", "mec": COLOURS[3], "mew": 0.9, "ms": 4.8}
LAB: dict[str, Any] = {"va": "top", "fontsize": 6.3, "color": "#5d626b"}
PER_ROW = 0.145
"""Inches."""

FIGURES = Figures()


@FIGURES.figure("published", "published")
def draw_published(table: pd.DataFrame) -> Drawing:
    """Draw shares in the left panel and ratios in the right one, a row a quantity."""
    table = table.assign(
        row=[f"Lab {lab}, {label}" for lab, label in zip(table["lab"], table["label"], strict=True)]
    )
    panels = [table[table["unit"] == unit] for unit in ("share", "ratio")]
    rows = max(panel["row"].nunique() for panel in panels)
    figure, (shares, ratios) = plt.subplots(1, 2, figsize=(WHOLE, PER_ROW * rows + 0.5))
    words = _draw(shares, panels[0], scale=100.0, rows=rows)
    shares.set(title="Accuracy, or memory saved", xlabel="per cent")
    words += _draw(ratios, panels[1], scale=1.0, rows=rows)
    ratios.set(title="Ratio", xlabel="times, on a logarithmic axis", xscale="log")
    ratios.xaxis.set_major_formatter(FuncFormatter(lambda number, _: f"{number:g}×"))
    ratios.xaxis.set_minor_locator(NullLocator())
    ratios.axvline(1.0, color="black", lw=0.8, ls=":")
    _explain(ratios, [name for name in MARKERS if name in set(table["report"])])
    return Drawing(figure, " ".join(words))


def _draw(axes: Axes, panel: pd.DataFrame, scale: float, rows: int) -> list[str]:
    """Draw each quantity measured as a dot with its interval, and published as hollow marks.

    ``rows`` is how many the longer panel has. Return what is drawn, in words.
    """
    if panel.empty:
        return []
    here = panel.drop_duplicates("row", ignore_index=True)
    here = here.rename(columns={"low": "value_low", "high": "value_high"})
    dots(axes, here, list(here["label"]), value="value", scale=scale)
    words = []
    for place, (row, quantity) in enumerate(rows_by(panel, "row")):
        published = []
        for report, number in zip(quantity["report"], quantity["published"] * scale, strict=True):
            axes.plot(number, place, MARKERS[report], **HOLLOW)
            published.append(f"{report} {number:.4g}")
        measured = quantity["value"].iloc[0] * scale
        words.append(f"{row}: here {measured:.4g}, published {', '.join(published)}.")
    for lab, quantities in rows_by(here, "lab"):
        top = quantities.index[0] - 0.5
        axes.axhline(top, color="#c8ccd2", lw=0.6)
        axes.text(1.02, top, f"Lab {lab}", transform=axes.get_yaxis_transform(), **LAB)
    axes.set_ylim(rows - 0.5, -0.5)
    axes.tick_params(axis="y", labelsize=6.8, length=0)
    return words


def _explain(axes: Axes, reports: list[str]) -> None:
    """Add a legend below the last row."""
    axes.plot([], [], "o-", color=COLOURS[0], lw=1.2, label="measured here, with its interval")
    for report in reports:
        name = "the labs" if report == "L" else f"report {report}"
        axes.plot([], [], MARKERS[report], label=f"published: {name}", **HOLLOW)
    # On white, so that the grid does not run through the words.
    axes.legend(loc="lower left", fontsize=6.8, frameon=True, framealpha=1.0, edgecolor="none")
