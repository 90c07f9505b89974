"""Figures of the torch.compile experiment."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from reporting.figures.style import ARM_COLOURS, COLOURS, WIDTH, clip_to_values, dots, save, spoken

MODES = {
    "train+grad": "train(), gradients (the lab's code)",
    "train+no_grad": "train(), no_grad()",
    "eval+grad": "eval(), gradients",
    "eval+no_grad": "eval(), no_grad() (corrected)",
}
STAGES = {
    "Dynamo": COLOURS[2],
    "AOTAutograd": COLOURS[1],
    "Inductor": COLOURS[0],
    "rest": COLOURS[7],
}


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw all figures of one device."""
    found = {
        name: table[table["device"] == device]
        for name, table in tables.items()
        if name.startswith("compilation_")
    }
    iterations = found["compilation_iterations"]
    draw_series(iterations, "seconds", "time of an iteration", device, folder)
    draw_series(iterations, "accumulated", "accumulated time", device, folder)
    draw_steady(found["compilation_steady"], device, folder)
    draw_first_call(found["compilation_first_call"], device, folder)


def draw_series(
    iterations: pd.DataFrame, column: str, label: str, device: str, folder: Path
) -> None:
    """Draw a column of the cold series against the iteration, one panel a model and mode.

    A dot marks the first iteration after the warm-up.
    """
    models = list(dict.fromkeys(iterations["model"]))
    modes = [mode for mode in MODES if mode in set(iterations["mode"])]
    figure, grid = plt.subplots(
        len(models), len(modes), figsize=(WIDTH, 2.0 * len(models)), squeeze=False, sharex=True
    )
    words = []
    for model, row in zip(models, grid, strict=True):
        for mode, axes in zip(modes, row, strict=True):
            panel = iterations[(iterations["model"] == model) & (iterations["mode"] == mode)]
            axes.set_title(f"{model}: {MODES[mode]}", fontsize=7.5)
            if panel.empty:
                axes.text(0.5, 0.5, "not run by this preset", transform=axes.transAxes, ha="center")
                continue
            for arm in ("eager", "compiled"):
                line = panel[panel["arm"] == arm]
                style = "-" if arm == "compiled" else (0, (4, 1.5))
                colour = ARM_COLOURS[arm]
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
    save(figure, folder, f"compilation_{column}_{device}", alt)


def draw_steady(steady: pd.DataFrame, device: str, folder: Path) -> None:
    """Draw the steady time a call, one panel a model, with its interval."""
    models = list(dict.fromkeys(steady["model"]))
    rows = max(len(steady[steady["model"] == model]) for model in models)
    figure, grid = plt.subplots(1, len(models), figsize=(WIDTH, 0.5 + 0.26 * rows), squeeze=False)
    words = []
    for model, axes in zip(models, grid[0], strict=True):
        panel = steady[steady["model"] == model]
        labels = [f"{row['mode']}, {row['arm']}" for _, row in panel.iterrows()]
        dots(axes, panel, labels, scale=1e3, colours=[ARM_COLOURS[arm] for arm in panel["arm"]])
        clip_to_values(axes, panel["seconds"] * 1e3)
        axes.set(title=model, xlabel="time a call (ms)")
        words += [
            f"{model}, {label}: {spoken(seconds)}."
            for label, seconds in zip(labels, panel["seconds"], strict=True)
        ]
    figure.tight_layout()
    save(figure, folder, f"compilation_steady_{device}", "Steady time a call. " + " ".join(words))


def draw_first_call(first_call: pd.DataFrame, device: str, folder: Path) -> None:
    """Draw what the first compiled call is spent on, by mode and state of the cache."""
    table = first_call.reset_index(drop=True)
    labels = [f"{row['model']}, {row['mode']}, {row['cache']}" for _, row in table.iterrows()]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.7 + 0.28 * len(table)))
    left = np.zeros(len(table))
    for stage, colour in STAGES.items():
        width = table[stage].to_numpy()
        axes.barh(range(len(table)), width, left=left, color=colour, label=stage, height=0.62)
        left += width
    axes.set_yticks(range(len(table)), labels)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.set_xlabel("mean time of the first compiled call (s)")
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.4, 1.0))
    words = [
        f"{label}: {spoken(row['seconds'])}, of which Inductor {spoken(row['Inductor'])}."
        for label, (_, row) in zip(labels, table.iterrows(), strict=True)
    ]
    save(figure, folder, f"compilation_first_call_{device}", "First call. " + " ".join(words))
