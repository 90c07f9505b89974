"""Figures of compression-aware search: its curves, and what compression does to the ranking."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.search.drawn_curves import against_trials, curve
from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, WHOLE, WIDTH, rows_by

FIGURES = Figures()
AFTER = {"compressed": "compressed", "retrained": "compressed, then trained"}
"""The columns of the stages that are compared with the first, and what they are called."""


@FIGURES.figure("search_objectives", "search_objectives")
def draw_objectives(table: pd.DataFrame) -> Drawing:
    """Draw the best accuracy so far of the searches for each objective, with their bands."""
    figure, axes = plt.subplots(figsize=(WIDTH, 1.9))
    words = []
    for place, (objective, rows) in enumerate(rows_by(table, "objective")):
        curve(axes, rows, "best", place, objective)
        first, last = rows["best"].iloc[0], rows["best"].iloc[-1]
        words.append(f"{objective}: {first:.1%} after a trial, {last:.1%} after {len(rows)}.")
    against_trials(axes)
    axes.set_ylabel("best accuracy so far (%)")
    axes.legend(loc="lower right")
    return Drawing(figure, "Best accuracy so far on validation. " + " ".join(words))


@FIGURES.figure("search_stages", "search_stages")
def draw_stages(table: pd.DataFrame) -> Drawing:
    """Draw each architecture's accuracy after compression against that before it."""
    figure, panels = plt.subplots(1, 2, figsize=(WHOLE, 1.9), sharey=True)
    for axes, (column, name), colour in zip(
        panels, AFTER.items(), (COLOURS[2], COLOURS[3]), strict=True
    ):
        axes.plot(table["trial"] * 100, table[column] * 100, "o", color=colour, alpha=0.8)
        best = table.nlargest(1, column)
        axes.plot(best["trial"] * 100, best[column] * 100, "o", ms=9, mfc="none", color="black")
        # Where nothing changes.
        low = min(axes.get_xlim()[0], axes.get_ylim()[0])
        axes.axline((low, low), slope=1, color="black", lw=0.9, ls=":")
        axes.set(title=name, xlabel="accuracy before compression (%)")
    panels[0].set_ylabel("accuracy afterwards (%)")
    columns = ["architecture", "trial", *AFTER]
    words = [
        f"{architecture}: {before:.1%}, {compressed:.1%}, {retrained:.1%}."
        for architecture, before, compressed, retrained in table[columns].values
    ]
    return Drawing(figure, "Before compression, after it, trained again. " + " ".join(words))
