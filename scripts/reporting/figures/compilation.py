"""Figures of the torch.compile experiment."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from labs.records.names import compilation as names
from reporting.figures.figure import Drawing, Figures
from reporting.figures.style import COLOURS, WIDTH, rows_by, spoken, time_dots

FIGURES = Figures()
ARM_COLOURS = {names.EAGER: COLOURS[7], names.COMPILED: COLOURS[0]}
MODES = {
    names.LAB: "train(), gradients (the lab's code)",
    names.TRAIN_NO_GRAD: "train(), no_grad()",
    names.EVAL_GRAD: "eval(), gradients",
    names.CORRECTED: "eval(), no_grad() (corrected)",
}
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
    models = rows_by(iterations, "model")
    modes = [mode for mode in MODES if mode in set(iterations["mode"])]
    figure, grid = plt.subplots(
        len(models), len(modes), figsize=(WIDTH, 2.0 * len(models)), squeeze=False, sharex=True
    )
    words = []
    for (model, rows), row in zip(models, grid, strict=True):
        for mode, axes in zip(modes, row, strict=True):
            panel = rows[rows["mode"] == mode]
            axes.set_title(f"{model}: {MODES[mode]}", fontsize=7.5)
            if panel.empty:
                axes.text(0.5, 0.5, "not run by this preset", transform=axes.transAxes, ha="center")
                continue
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
            axes.set(xscale="log", yscale="log")
        row[0].set_ylabel(f"{label} (s)")
    for axes in grid[-1]:
        axes.set_xlabel("iteration")
    grid[0][-1].legend(loc="best")
    figure.tight_layout()
    alt = f"{label.capitalize()} against the iteration. " + " ".join(words)
    return Drawing(figure, alt)


@FIGURES.figure_per_device("compilation_steady", "compilation_steady")
def draw_steady(steady: pd.DataFrame) -> Drawing:
    """Draw the steady time per call with its interval, one panel per model."""
    models = rows_by(steady, "model")
    height = 0.5 + 0.26 * max(len(panel) for _, panel in models)
    figure, row = plt.subplots(1, len(models), figsize=(WIDTH, height), squeeze=False)
    words = []
    for (model, panel), axes in zip(models, row[0], strict=True):
        labels = [f"{row['mode']}, {row['arm']}" for _, row in panel.iterrows()]
        time_dots(axes, panel, labels, [ARM_COLOURS[arm] for arm in panel["arm"]])
        axes.set(title=model, xlabel="time a call (ms)")
        words += [
            f"{model}, {label}: {spoken(seconds)}."
            for label, seconds in zip(labels, panel["seconds"], strict=True)
        ]
    figure.tight_layout()
    return Drawing(figure, "Steady time a call. " + " ".join(words))


@FIGURES.figure_per_device("compilation_first_call", "compilation_first_call")
def draw_first_call(calls: pd.DataFrame) -> Drawing:
    """Draw the stages of the first compiled call, by mode and cache state."""
    labels = [f"{row['model']}, {row['mode']}, {row['cache']}" for _, row in calls.iterrows()]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.7 + 0.28 * len(calls)))
    left = np.zeros(len(calls))
    for stage, colour in STAGES.items():
        width = calls[stage].to_numpy()
        axes.barh(range(len(calls)), width, left=left, color=colour, label=stage, height=0.62)
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
