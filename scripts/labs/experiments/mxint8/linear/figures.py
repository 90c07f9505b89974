"""Figures of linear layers in four number formats: time, bytes, operations and energy."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.artist import Artist

from labs.experiments.mxint8.names import BFLOAT16, BOTH, FLOAT32, WEIGHTS
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import stacked_bars, time_dots
from labs.figures.style import COLOURS, WHOLE, WIDTH, rows_by, spoken

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
        axes.set(title=f"batch {batch}", xlabel="time per call (ms)")
        words += [
            f"batch {batch}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values
        ]
    return Drawing(figure, "Time per call. " + " ".join(words))


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
        parts = table.pivot(index="arm", columns="what", values=column) / unit
        parts = parts.fillna(0).loc[list(ARM_COLOURS)].rename(index=LABELS)
        stacked_bars(axes, parts, KINDS)
        totals = parts.sum(axis=1)
        axes.bar_label(
            axes.containers[-1], [f"{total:.3g}" for total in totals], fontsize=7, padding=2
        )
        axes.set(xlim=(0, 1.22 * totals.max()), xlabel=label)
        axes.set_title(title, fontsize=7.5)
        sums = ", ".join(f"{arm} {n:.3g}" for arm, n in zip(ARM_COLOURS, totals, strict=True))
        words.append(f"{label}: {sums}.")
    kinds: dict[str, Artist] = {}
    for axes in row:
        handles, labels = axes.get_legend_handles_labels()
        kinds |= dict(zip(labels, handles, strict=True))
    figure.legend(list(kinds.values()), list(kinds), loc="outside right center")
    return Drawing(figure, f"At batch {batch}. " + " ".join(words))
