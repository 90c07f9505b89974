"""Figures of a model's memory: its parts, and the steps from the sheet's formula to the saving."""

import math

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.mxint8.names import EMBEDDINGS, MODELS, QUANTIZED
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import name_rows, stacked_bars
from labs.figures.style import COLOURS, WHOLE, WIDTH, rows_by

FIGURES = Figures()
REST = "biases, normalization and others"
KINDS = {QUANTIZED: COLOURS[0], EMBEDDINGS: COLOURS[1], REST: COLOURS[7]}
SOURCES = {"formula": COLOURS[7], "measured": COLOURS[0], "published": "#ffffff"}
MIB = 2**20
VISIBLE = 0.075
"""Parts above this share of the longest bar have room for their size."""


@FIGURES.figure_per_device("mxint8_memory_account", "mxint8_memory_account")
def draw_account(account: pd.DataFrame) -> Drawing:
    """Draw the bytes of every kind of tensor, before and after, one panel per model."""
    models = rows_by(account, "model")
    figure, row = plt.subplots(1, len(models), figsize=(WHOLE, 1.6), squeeze=False, sharey=True)
    words = []
    for (model, panel), axes in zip(models, row[0], strict=True):
        kinds = panel["kind"].where(panel["kind"].isin(KINDS), REST)
        sizes = panel.groupby(kinds)[["float32", "mxint8"]].sum().reindex(list(KINDS)) / MIB
        totals = sizes.sum()
        room = VISIBLE * totals["float32"]
        stacked_bars(axes, sizes.T.rename({"mxint8": "MXINT8"}), KINDS)
        for part in axes.containers:
            words_in = [f"{width:.0f}" if width > room else "" for width in part.datavalues]
            ink = "white" if part.get_label() == QUANTIZED else "black"
            box = {"facecolor": part[0].get_facecolor(), "lw": 0, "pad": 1}
            axes.bar_label(part, words_in, label_type="center", fontsize=7.5, color=ink, bbox=box)
        axes.bar_label(part, [f"{total:.0f} MiB" for total in totals], fontsize=7.5, padding=2)
        words += [f"{MODELS[model]}, {arm}: {total:.0f} MiB." for arm, total in totals.items()]
        axes.set(xlim=(0, 1.14 * totals["float32"]), title=MODELS[model], xlabel="memory (MiB)")
    handles, labels = row[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, ncols=3, loc="outside upper center")
    return Drawing(figure, "Memory by kind. " + " ".join(words))


@FIGURES.figure_per_device("mxint8_memory_waterfall", "mxint8_memory_waterfall")
def draw_waterfall(waterfall: pd.DataFrame) -> Drawing:
    """Draw the share saved after every step; a loss hangs from the level before it."""
    models = rows_by(waterfall, "model")
    figure, grid = plt.subplots(
        len(models), 1, figsize=(WIDTH, 0.4 + 0.2 * len(waterfall)), squeeze=False, sharex=True,
        height_ratios=[len(panel) for _, panel in models],
    )  # fmt: skip
    words = []
    for (model, panel), axes in zip(models, grid[:, 0], strict=True):
        previous, labels = math.nan, []
        for place, (_, row) in enumerate(panel.iterrows()):
            saved, source = row["saved"] * 100, row["source"]
            if source == "formula" and not math.isnan(previous):
                loss = previous - saved
                axes.barh(place, loss, left=saved, height=0.62, color=COLOURS[1])
                axes.plot([previous] * 2, [place - 0.69, place + 0.31], color="#555555", lw=0.7)
                label = f"−{loss:.1f}" if loss >= 0.05 else "less than −0.1"
                axes.text(previous + 0.8, place, label, va="center", fontsize=7.5, color="#8a5a00")
            else:
                outline = 0.9 if source == "published" else 0
                axes.barh(place, saved, height=0.62, color=SOURCES[source], edgecolor="#555555",
                          linewidth=outline, linestyle=(0, (3, 2)))  # fmt: skip
            ink = "white" if source == "measured" else "black"
            outside = source == "published"  # Its end is a broken line.
            end, side = (saved + 0.8, "left") if outside else (saved - 0.8, "right")
            axes.text(end, place, f"{saved:.1f}", va="center", ha=side, fontsize=7.5, color=ink)
            labels.append(row["step"] if source == "formula" else f"{source}: {row['step']}")
            previous = saved
            words.append(f"{MODELS[model]}, {row['step']} ({source}): {saved:.1f} %.")
        name_rows(axes, labels)
        axes.set_title(MODELS[model])
    grid[-1][0].set(xlim=(0, 100), xlabel="share of float32's memory saved (%)")
    return Drawing(figure, "Share saved, by step. " + " ".join(words))
