"""Figures of linear layers in four number formats: time, bytes, operations and energy."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, WEIGHTS
from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, HATCHES, WHOLE, WIDTH, rows_by, spoken, time_dots

FIGURES = Figures()
ARM_COLOURS = {FLOAT32: COLOURS[7], BFLOAT16: COLOURS[3], WEIGHTS: COLOURS[2], BOTH: COLOURS[0]}
LABELS = {
    WEIGHTS: "MXINT8 weights,\nfloat32 activations",
    BOTH: "MXINT8 weights\nand activations",
}
KINDS = {
    "weights": "#5f6b7a",
    "scales": COLOURS[4],
    "activations": "#b9c2cc",
    "int8 multiply": COLOURS[0],
    "int32 add": COLOURS[9],
    "conversion": COLOURS[8],
    "float16 multiply": COLOURS[3],
    "float32 multiply": COLOURS[1],
    "float32 add": "#f3c98b",
}
MIB = 2**20


@FIGURES.figure_per_device("mxint8_linear_time", "mxint8_linear_time")
def draw_time(times: pd.DataFrame) -> Drawing:
    """Draw the time of every arm, one panel per batch size."""
    batches = rows_by(times, "batch")
    figure, row = plt.subplots(1, len(batches), figsize=(WIDTH, 1.8), squeeze=False, sharey=True)
    words = []
    for (batch, panel), axes in zip(batches, row[0], strict=True):
        labels = [LABELS.get(arm, arm) for arm in panel["arm"]]
        time_dots(axes, panel, labels, [ARM_COLOURS[arm] for arm in panel["arm"]])
        axes.set(title=f"batch {batch}", xlabel="time a call (ms)")
        words += [
            f"batch {batch}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values
        ]
    return Drawing(figure, "Time a call. " + " ".join(words))


@FIGURES.figure_per_device("mxint8_linear_costs", "mxint8_linear_counts", "mxint8_linear_energy")
def draw_costs(counts: pd.DataFrame, energy: pd.DataFrame) -> Drawing:
    """Draw bytes and operations by kind, and the estimated energy, at the largest batch."""
    batch = counts["batch"].max()
    counts, energy = counts[counts["batch"] == batch], energy[energy["batch"] == batch]
    figure, row = plt.subplots(1, 3, figsize=(WHOLE, 1.9), sharey=True)
    quantities = (
        (counts[counts["name"] == "bytes moved"], "value", MIB, "bytes moved (MiB)", "counted"),
        (counts[counts["name"] == "operations"], "value", 1e9, "operations (10⁹)", "counted"),
        (energy, "joules", 1e-3, "energy of arithmetic (mJ)", "estimated"),
    )
    words = []
    for axes, (table, column, unit, label, title) in zip(row, quantities, strict=True):
        words.append(_stack(axes, table, column, unit, label))
        axes.set_title(title, fontsize=7.5)
    row[0].set_yticks(range(len(ARM_COLOURS)), [LABELS.get(arm, arm) for arm in ARM_COLOURS])
    row[0].invert_yaxis()
    kinds: dict[str, Artist] = {}
    for axes in row:
        handles, labels = axes.get_legend_handles_labels()
        kinds |= dict(zip(labels, handles, strict=True))
    figure.legend(list(kinds.values()), list(kinds), loc="outside right center")
    return Drawing(figure, f"At batch {batch}. " + " ".join(words))


def _stack(axes: Axes, table: pd.DataFrame, column: str, unit: float, label: str) -> str:
    """Draw one stacked bar per arm; return the sums in words."""
    left = np.zeros(len(ARM_COLOURS))
    for number, kind in enumerate(KINDS):
        if kind not in set(table["what"]):
            continue
        part = table[table["what"] == kind].set_index("arm")[column]
        width = part.reindex(list(ARM_COLOURS), fill_value=0).to_numpy() / unit
        style = {"color": KINDS[kind], "hatch": HATCHES[number % len(HATCHES)], "label": kind}
        axes.barh(range(len(ARM_COLOURS)), width, left=left, height=0.62, lw=0, **style)
        left += width
    for place, total in enumerate(left):
        axes.text(total, place, f" {total:.3g}", va="center", fontsize=7)
    axes.set_xlim(0, 1.22 * left.max())
    axes.set_xlabel(label)
    axes.grid(axis="y", visible=False)
    sums = ", ".join(f"{arm} {total:.3g}" for arm, total in zip(ARM_COLOURS, left, strict=True))
    return f"{label}: {sums}."
