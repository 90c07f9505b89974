"""Figures of linear layers in four number formats: time, and what was counted."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from reporting.figures.style import COLOURS, WIDTH, clip_to_values, dots, save, spoken

ARM_COLOURS = {
    "float32": COLOURS[7],
    "bfloat16": COLOURS[3],
    "MXINT8 weights": COLOURS[2],
    "MXINT8 weights and activations": COLOURS[0],
}
LABELS = {
    "MXINT8 weights": "MXINT8 weights,\nfloat32 activations",
    "MXINT8 weights and activations": "MXINT8 weights\nand activations",
}
KINDS = {
    "weights": "#5f6b7a",
    "scales": COLOURS[3],
    "activations": "#b9c2cc",
    "int8 multiply": COLOURS[0],
    "int32 add": COLOURS[9],
    "conversion": COLOURS[8],
    "float16 multiply": COLOURS[3],
    "float32 multiply": COLOURS[1],
    "float32 add": "#f3c98b",
}
MIB = 2**20


def draw(found: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw all figures of linear layers."""
    draw_time(found["mxint8_linear_time"], device, folder)
    draw_costs(found["mxint8_linear_counts"], found["mxint8_linear_energy"], device, folder)


def draw_time(times: pd.DataFrame, device: str, folder: Path) -> None:
    """Draw the time of every arm, a panel a batch."""
    batches = list(dict.fromkeys(times["batch"]))
    figure, row = plt.subplots(1, len(batches), figsize=(WIDTH, 2.0), squeeze=False, sharey=True)
    words = []
    for batch, axes in zip(batches, row[0], strict=True):
        panel = times[times["batch"] == batch]
        labels = [LABELS.get(arm, arm) for arm in panel["arm"]]
        dots(axes, panel, labels, scale=1e3, colours=[ARM_COLOURS[arm] for arm in panel["arm"]])
        clip_to_values(axes, panel["seconds"] * 1e3)
        axes.set(title=f"batch {batch}", xlabel="time a call (ms)")
        words += [
            f"batch {batch}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values
        ]
    figure.tight_layout()
    save(figure, folder, f"mxint8_linear_time_{device}", "Time a call. " + " ".join(words))


def draw_costs(counts: pd.DataFrame, energy: pd.DataFrame, device: str, folder: Path) -> None:
    """Draw, at the largest batch, bytes and operations by kind, and the energy estimated."""
    batch = counts["batch"].max()
    counts, energy = counts[counts["batch"] == batch], energy[energy["batch"] == batch]
    figure, row = plt.subplots(1, 3, figsize=(WIDTH, 2.35), sharey=True)
    panels = (
        (counts[counts["name"] == "bytes moved"], "value", MIB, "bytes moved (MiB)", "counted"),
        (counts[counts["name"] == "operations"], "value", 1e9, "operations (10⁹)", "counted"),
        (energy, "joules", 1e-3, "energy of arithmetic (mJ)", "estimated from published figures"),
    )
    words = []
    for axes, (table, column, unit, label, title) in zip(row, panels, strict=True):
        words.append(_stack(axes, table, column, unit, label))
        axes.set_title(title, fontsize=7.5)
    row[0].set_yticks(range(len(ARM_COLOURS)), [LABELS.get(arm, arm) for arm in ARM_COLOURS])
    row[0].invert_yaxis()
    row[0].legend(loc="upper left", bbox_to_anchor=(-0.1, -0.27), fontsize=6.8, ncols=1)
    row[1].legend(loc="upper left", bbox_to_anchor=(-0.1, -0.27), fontsize=6.8, ncols=3)
    save(figure, folder, f"mxint8_linear_costs_{device}", f"At batch {batch}. " + " ".join(words))


def _stack(axes: Axes, table: pd.DataFrame, column: str, unit: float, label: str) -> str:
    """Draw a stacked bar an arm; return its sums in words."""
    left = np.zeros(len(ARM_COLOURS))
    for kind in [kind for kind in KINDS if kind in set(table["what"])]:
        part = table[table["what"] == kind].set_index("arm")[column]
        width = part.reindex(list(ARM_COLOURS), fill_value=0).to_numpy() / unit
        axes.barh(range(len(ARM_COLOURS)), width, left=left, color=KINDS[kind], label=kind,
                  height=0.62, edgecolor="white", linewidth=0.4)  # fmt: skip
        left += width
    for place, total in enumerate(left):
        axes.text(total, place, f" {total:.3g}", va="center", fontsize=7)
    axes.set_xlim(0, 1.22 * left.max())
    axes.set_xlabel(label)
    axes.grid(axis="y", visible=False)
    sums = ", ".join(f"{arm} {total:.3g}" for arm, total in zip(ARM_COLOURS, left, strict=True))
    return f"{label}: {sums}."
