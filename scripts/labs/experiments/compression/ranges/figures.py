"""The figure of the ranges of values in linear layers."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import name_rows
from labs.figures.style import COLOURS, WHOLE

FIGURES = Figures()
KINDS = {"weight": "weights", "bias": "biases", "input": "inputs"}
SPANS = (("q0", "q1", 0.8), ("q0.001", "q0.999", 2.2), ("q0.25", "q0.75", 5.0))
"""Two quantiles and a line width: all values, all but the outliers, the middle half."""

LIMITS = (1, 2, 4, 8)
"""The values at which one to four integer bits saturate."""


@FIGURES.figure("ranges", "ranges_quantiles")
def draw_ranges(ranges: pd.DataFrame) -> Drawing:
    """Draw the range of values of every layer, one panel per kind of tensor."""
    layers, words = list(dict.fromkeys(ranges["layer"])), []
    size = WHOLE, 0.6 + 0.135 * len(layers)
    figure, panels = plt.subplots(1, len(KINDS), figsize=size, sharey=True)
    for (kind, label), colour, axes in zip(KINDS.items(), COLOURS, panels, strict=False):
        rows = ranges[ranges["kind"] == kind].set_index("layer").loc[layers]
        places = range(len(layers))
        for low, high, thickness in SPANS:
            axes.hlines(places, rows[low], rows[high], color=colour, lw=thickness)
        reach = float(rows[["q0", "q1"]].abs().to_numpy().max())
        axes.set(title=label, xlabel="value", xlim=(-1.1 * reach, 1.1 * reach))
        for limit in LIMITS:
            for side in (-limit, limit) if limit < 1.1 * reach else ():
                axes.axvline(side, color="black", lw=0.6, ls=":")
        name_rows(axes, layers)
        words.append(f"The largest magnitude of all {label} is {reach:.3g}.")
    return Drawing(figure, " ".join(words))
