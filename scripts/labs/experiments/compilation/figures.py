"""Figures of the torch.compile experiments."""

import math

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.compilation import names
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import stacked_bars, time_dots
from labs.figures.style import COLOURS, WHOLE, rows_by, spoken

FIGURES = Figures()
ARM_COLOURS = {names.EAGER: COLOURS[7], names.COMPILED: COLOURS[0]}
MODES = {
    names.LAB: "the lab's code: train(), gradients",
    names.CORRECTED: "corrected: eval(), no_grad()",
}
PANELS_A_ROW = 2
STAGES = {
    "Dynamo": COLOURS[2],
    "AOTAutograd": COLOURS[1],
    "Inductor": COLOURS[0],
    "rest": COLOURS[7],
}


@FIGURES.figure_per_device("compilation_accumulated", "compilation_iterations")
def draw_accumulated(iterations: pd.DataFrame) -> Drawing:
    """Draw the accumulated time at every iteration, one panel per mode.

    The lab's code is drawn for the iterations that it runs; the corrected one to the most that are
    asked about, those that were not run as a broken line.
    """
    figure, row = plt.subplots(1, len(MODES), figsize=(WHOLE, 2.3))
    words = []
    for (mode, title), axes in zip(MODES.items(), row, strict=True):
        axes.set_title(title)
        for arm, colour in ARM_COLOURS.items():
            line = iterations[(iterations["mode"] == mode) & (iterations["arm"] == arm)]
            run = line[line["seconds"].notna()]
            axes.plot(run["iteration"], run["accumulated"], ".-", color=colour, label=arm)
            if mode == names.CORRECTED:
                later = line[line["iteration"] >= run["iteration"].max()]
                axes.plot(later["iteration"], later["accumulated"], color=colour, ls=(0, (3, 2)))
                run = line
            last = run.iloc[-1]
            words.append(
                f"{title}, {arm}: {spoken(run.iloc[0]['accumulated'])} after the first iteration, "
                f"{spoken(last['accumulated'])} after {last['iteration']}."
            )
        axes.set(xlabel="iterations", xlim=(0, None), ylim=(0, None))
    row[0].set_ylabel("accumulated time (s)")
    row[-1].legend(loc="lower right")
    return Drawing(figure, "Accumulated time against iterations. " + " ".join(words))


@FIGURES.figure_per_device("compilation_steady", "compilation_steady", "compilation_modes_steady")
def draw_steady(lab: pd.DataFrame, modes: pd.DataFrame) -> Drawing:
    """Draw the steady time per call with its interval, one panel per model and batch."""
    panels = rows_by(pd.concat([lab, modes], ignore_index=True), "model")
    rows = math.ceil(len(panels) / PANELS_A_ROW)
    height = 0.3 + rows * (0.45 + 0.15 * max(len(panel) for _, panel in panels))
    figure, grid = plt.subplots(rows, PANELS_A_ROW, figsize=(WHOLE, height), squeeze=False)
    words = []
    for axes in grid.flat[len(panels) :]:
        axes.set_visible(False)
    for (model, panel), axes in zip(panels, grid.flat, strict=False):
        labels = [f"{row['mode']}, {row['arm']}" for _, row in panel.iterrows()]
        time_dots(axes, panel, labels, [ARM_COLOURS[arm] for arm in panel["arm"]])
        axes.set(title=model, xlabel="time a call (ms)")
        words += [
            f"{model}, {label}: {spoken(seconds)}."
            for label, seconds in zip(labels, panel["seconds"], strict=True)
        ]
    return Drawing(figure, "Steady time a call. " + " ".join(words))


@FIGURES.figure_per_device(
    "compilation_first_call", "compilation_first_call", "compilation_modes_first_call"
)
def draw_first_call(lab: pd.DataFrame, modes: pd.DataFrame) -> Drawing:
    """Draw the stages of the first compiled call, by model, mode and cache state."""
    calls = pd.concat([lab, modes], ignore_index=True)
    labels = [f"{row['model']}, {row['mode']}, {row['cache']}" for _, row in calls.iterrows()]
    figure, axes = plt.subplots(figsize=(WHOLE, 0.55 + 0.19 * len(calls)))
    stacked_bars(axes, calls.set_axis(labels), STAGES)
    axes.set_xlabel("mean time of the first compiled call (s)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.4, 1.0))
    words = [
        f"{label}: {spoken(row['seconds'])}, of which Inductor {spoken(row['Inductor'])}."
        for label, (_, row) in zip(labels, calls.iterrows(), strict=True)
    ]
    return Drawing(figure, "First call. " + " ".join(words))
