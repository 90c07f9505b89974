"""Figures of the attention experiment."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.ticker import FormatStrFormatter

from labs.experiments.fusion.attention.names import FUSED, NAIVE
from labs.figures.figure import Drawing, Figures
from labs.figures.rows import stacked_bars
from labs.figures.style import COLOURS, DTYPE_COLOURS, WHOLE, WIDTH, move_aside, rows_by

FIGURES = Figures()
APART = 2.5
"""Between the number formats, in points."""
ARMS = {NAIVE: (COLOURS[7], "o"), FUSED: (COLOURS[0], "s")}
DTYPE_MARKERS = {"float32": "o", "bfloat16": "^", "float16": "s"}
MIB = 2**20


@FIGURES.figure_per_device("attention_profile", "attention_profile")
def draw_profile(profile: pd.DataFrame) -> Drawing:
    """Draw each operator's share of the time of naive and fused, by number format."""
    largest = profile.groupby("operator")["share"].max().nlargest(5).index
    cases = ["dtype", "arm"]
    shares = 100 * profile.pivot_table("share", cases, "operator", sort=False, fill_value=0.0)
    shares["others"] = 100 - shares[largest].sum(axis=1)
    shares.index = shares.index.map(", ".join)
    figure, axes = plt.subplots(figsize=(WHOLE, 0.75 + 0.16 * len(shares)))
    stacked_bars(axes, shares, dict(zip(largest, COLOURS, strict=False)) | {"others": "#c8c8c8"})
    words = [
        f"{', '.join(top[cases])}: {top['share']:.0%} in {top['operator']}."
        for _, top in profile.drop_duplicates(cases).iterrows()
    ]
    axes.set(xlim=(0, 100), xlabel="share of the operators' own time (%)")
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.45, 1.0), fontsize=6.5)
    return Drawing(figure, "Operators. " + " ".join(words))


@FIGURES.figure_per_device("attention_sweep", "attention_sweep")
def draw_sweep(sweep: pd.DataFrame) -> Drawing:
    """Draw the gain of fused over naive against the sequence length."""
    figure, axes = plt.subplots(figsize=(WIDTH, 1.9))
    words = []
    gains = sweep[sweep["arm"] == FUSED]
    for number, (dtype, line) in enumerate(rows_by(gains, "dtype")):
        style, lengths = {"color": DTYPE_COLOURS[dtype]}, line["length"]
        drawn = [
            axes.vlines(lengths, line["speedup_low"], line["speedup_high"], lw=1, **style),
            *axes.plot(lengths, line["speedup"], f"{DTYPE_MARKERS[dtype]}-", label=dtype, **style),
        ]
        move_aside(axes, drawn, APART * (number - 1))
        words += [f"{dtype}, {n}: {x:.3g}." for n, x in line[["length", "speedup"]].values]
    axes.axhline(1, color="black", lw=0.8)
    axes.set(xlabel="sequence length", ylabel="naive time / fused time")
    axes.set_ylim(float(gains["speedup"].min()) / 2, float(gains["speedup"].max()) * 2)
    _scale(axes, sweep["length"])
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return Drawing(figure, "Gain by length. " + " ".join(words))


@FIGURES.figure_per_device("attention_memory", "attention_sweep")
def draw_memory(sweep: pd.DataFrame) -> Drawing:
    """Draw the peak memory of both arms against the sequence length, one panel per format."""
    dtypes = rows_by(sweep, "dtype")
    figure, row = plt.subplots(1, len(dtypes), figsize=(WIDTH, 1.6), squeeze=False, sharey=True)
    words = []
    for (dtype, panel), axes in zip(dtypes, row[0], strict=True):
        for arm, line in rows_by(panel, "arm"):
            colour, marker = ARMS[arm]
            sizes = line["peak_bytes"] / MIB
            axes.plot(line["length"], sizes, f"{marker}-", color=colour, label=arm)
            top = line.iloc[-1]
            words.append(f"{dtype}, {arm}: {top['peak_bytes'] / MIB:.3g} MiB at {top['length']}.")
        axes.set(title=dtype, xlabel="sequence length")
        _scale(axes, sweep["length"])
    row[0][0].set_ylabel("peak memory (MiB)")
    figure.legend(*row[0][0].get_legend_handles_labels(), loc="outside right center")
    return Drawing(figure, "Peak memory. " + " ".join(words))


def _scale(axes: plt.Axes, lengths: pd.Series) -> None:
    """Make both axes logarithmic, with a tick at each length and at powers of two."""
    axes.set_xscale("log")
    axes.set_yscale("log", base=2)
    axes.set_xticks(np.unique(lengths), [str(length) for length in np.unique(lengths)])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter(FormatStrFormatter("%g"))
