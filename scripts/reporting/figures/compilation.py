"""Figures of the torch.compile experiment."""

from __future__ import annotations

import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from labs.records.names import compilation as names
from reporting.figures.figure import Drawing, Figures
from reporting.figures.style import COLOURS, HATCHES, WHOLE, rows_by, spoken, time_dots

FIGURES = Figures()
ARM_COLOURS = {names.EAGER: COLOURS[7], names.COMPILED: COLOURS[0]}
MODES = {
    names.LAB: "train(), gradients (the lab's code)",
    names.TRAIN_NO_GRAD: "train(), no_grad()",
    names.EVAL_GRAD: "eval(), gradients",
    names.CORRECTED: "eval(), no_grad() (corrected)",
}
PANELS_A_ROW = 4
STAGES = {
    "Dynamo": COLOURS[2],
    "AOTAutograd": COLOURS[1],
    "Inductor": COLOURS[0],
    "rest": COLOURS[7],
}


@FIGURES.figure_per_device("compilation_seconds", "compilation_iterations")
def draw_seconds(iterations: pd.DataFrame) -> Drawing:
    """Draw the time of every iteration."""
    return _draw_series(iterations, "seconds", "time of an iteration")


@FIGURES.figure_per_device("compilation_accumulated", "compilation_iterations")
def draw_accumulated(iterations: pd.DataFrame) -> Drawing:
    """Draw the accumulated time at every iteration."""
    return _draw_series(iterations, "accumulated", "accumulated time")


def _draw_series(iterations: pd.DataFrame, column: str, label: str) -> Drawing:
    """Draw a column of the cold series against the iteration, one panel per model and mode.

    A dot marks the first iteration after the warm-up.
    """
    panels = [
        (model, mode, panel)
        for model, runs in rows_by(iterations, "model")
        for mode, panel in rows_by(runs, "mode")
    ]
    rows = math.ceil(len(panels) / PANELS_A_ROW)
    figure, grid = plt.subplots(
        rows, PANELS_A_ROW, figsize=(WHOLE, 0.25 + 1.5 * rows), squeeze=False, sharex=True
    )
    words = []
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for (model, mode, panel), axes in zip(panels, grid.flat, strict=False):
        axes.set_title(f"{model}\n{MODES[mode]}", fontsize=7, fontweight="normal")
        for arm, colour in ARM_COLOURS.items():
            line = panel[panel["arm"] == arm]
            style = "-" if arm == names.COMPILED else (0, (4, 1.5))
            axes.plot(line["iteration"], line[column], color=colour, ls=style, label=arm)
            steady = line[~line["warm_up"]].iloc[:1]
            axes.plot(steady["iteration"], steady[column], "o", color=colour)
            first, last = line.iloc[0], line.iloc[-1]
            words.append(
                f"{model}, {mode}, {arm}: {spoken(first[column])} at the first iteration, "
                f"{spoken(last[column])} at iteration {last['iteration']}."
            )
        axes.set(xscale="log", yscale="log", xlabel="iteration")
    for first_of_row in grid[:, 0]:
        first_of_row.set_ylabel(f"{label} (s)")
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    alt = f"{label.capitalize()} against the iteration. " + " ".join(words)
    return Drawing(figure, alt)


@FIGURES.figure_per_device("compilation_steady", "compilation_steady")
def draw_steady(steady: pd.DataFrame) -> Drawing:
    """Draw the steady time per call with its interval, one panel per model."""
    models = rows_by(steady, "model")
    height = 0.45 + 0.17 * max(len(panel) for _, panel in models)
    figure, row = plt.subplots(1, len(models), figsize=(WHOLE, height), squeeze=False)
    words = []
    for (model, panel), axes in zip(models, row[0], strict=True):
        labels = [f"{row['mode']}, {row['arm']}" for _, row in panel.iterrows()]
        time_dots(axes, panel, labels, [ARM_COLOURS[arm] for arm in panel["arm"]])
        axes.set(title=model, xlabel="time a call (ms)")
        words += [
            f"{model}, {label}: {spoken(seconds)}."
            for label, seconds in zip(labels, panel["seconds"], strict=True)
        ]
    return Drawing(figure, "Steady time a call. " + " ".join(words))


@FIGURES.figure_per_device("compilation_first_call", "compilation_first_call")
def draw_first_call(calls: pd.DataFrame) -> Drawing:
    """Draw the stages of the first compiled call, by mode and cache state."""
    labels = [f"{row['model']}, {row['mode']}, {row['cache']}" for _, row in calls.iterrows()]
    figure, axes = plt.subplots(figsize=(WHOLE, 0.55 + 0.19 * len(calls)))
    left = np.zeros(len(calls))
    for (stage, colour), hatch in zip(STAGES.items(), HATCHES, strict=False):
        width = calls[stage].to_numpy()
        style = {"color": colour, "hatch": hatch, "label": stage}
        axes.barh(range(len(calls)), width, left=left, height=0.62, lw=0, **style)
        left += width
    axes.set_yticks(range(len(calls)), labels)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("mean time of the first compiled call (s)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.4, 1.0))
    words = [
        f"{label}: {spoken(row['seconds'])}, of which Inductor {spoken(row['Inductor'])}."
        for label, (_, row) in zip(labels, calls.iterrows(), strict=True)
    ]
    return Drawing(figure, "First call. " + " ".join(words))
