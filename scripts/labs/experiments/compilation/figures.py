"""Figures of the torch.compile experiments."""

import math
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from labs.experiments.compilation import names
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import name_rows, stacked_bars, time_dots
from labs.figures.style import COLOURS, HATCHES, WHOLE, rows_by, spoken

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
    """Draw the lab's calls as bars of time with their mean, and how the corrected code's add up."""
    figure, (bars, lines) = plt.subplots(1, 2, figsize=(WHOLE, 1.9))
    words = []
    for place, (arm, colour) in enumerate(ARM_COLOURS.items()):
        lab = iterations[(iterations["mode"] == names.LAB) & (iterations["arm"] == arm)]
        words.append(_draw_calls(bars, lab[lab["seconds"].notna()], place, colour))
        line = iterations[(iterations["mode"] == names.CORRECTED) & (iterations["arm"] == arm)]
        run = line[line["seconds"].notna()]
        later = line[line["iteration"] >= run["iteration"].max()]
        style = {"color": colour, "marker": "so"[place], "ms": 3}
        lines.plot(run["iteration"], run["accumulated"], label=arm, **style)
        lines.plot(later["iteration"], later["accumulated"], color=colour, ls=(0, (3, 2)))
        words.append(
            f"{MODES[names.CORRECTED]}, {arm}: {spoken(run.iloc[0]['accumulated'])} after a call, "
            f"{spoken(line.iloc[-1]['accumulated'])} after {line.iloc[-1]['iteration']}."
        )
    name_rows(bars, ARM_COLOURS)
    bars.set_ylim(1.5, -0.75)
    bars.set(title=MODES[names.LAB], xlabel="time (s)")
    lines.set(title=MODES[names.CORRECTED], xlabel="calls", ylabel="accumulated time (s)")
    lines.set(xlim=(0, None), ylim=(0, None))
    lines.legend(loc="lower right")
    return Drawing(figure, "Time of the calls. " + " ".join(words))


def _draw_calls(axes: Axes, calls: pd.DataFrame, place: int, colour: Any) -> str:
    """Draw an arm's calls one after another, the first hatched, and their mean; say so."""
    ends = calls["accumulated"].to_numpy()
    first, mean, arm = float(ends[0]), float(ends[-1]) / len(ends), calls["arm"].iloc[0]
    style = {"height": 0.4, "color": colour, "edgecolor": "white", "lw": 0.8}
    axes.barh(place, first, hatch=HATCHES[1], **style)
    axes.barh([place] * (len(ends) - 1), np.diff(ends), left=ends[:-1], **style)
    axes.plot([mean, mean], [place - 0.32, place + 0.32], color="black", lw=1.6)
    axes.text(mean, place - 0.36, f"mean {mean:.3g} s per call", fontsize=7.5, va="bottom")
    return (
        f"{MODES[names.LAB]}, {arm}: first call {spoken(first)}, all {len(ends)} calls "
        f"{spoken(float(ends[-1]))}, mean {spoken(mean)}."
    )


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
        axes.set(title=model, xlabel="time per call (ms)")
        words += [
            f"{model}, {label}: {spoken(seconds)}."
            for label, seconds in zip(labels, panel["seconds"], strict=True)
        ]
    return Drawing(figure, "Steady time per call. " + " ".join(words))


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
