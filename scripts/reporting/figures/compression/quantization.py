"""Figures of fixed-point models: accuracy by width, by kind of bits, and by epochs; and ranges."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from reporting.figures.compression.curves import draw_curve, draw_level
from reporting.figures.style import COLOURS, WIDTH, save

TRAININGS = {"PTQ": (COLOURS[7], "o"), "QAT": (COLOURS[0], "s")}
KINDS = {"weight": "weights", "bias": "biases", "input": "inputs"}
SPANS = (("q0", "q1", 0.8), ("q0.001", "q0.999", 2.2), ("q0.25", "q0.75", 5.0))
"""What is drawn of a tensor, from thin to thick: all of it, all but the outliers, its middle."""

LIMITS = (1, 2, 4, 8)
"""What one to four integer bits saturate at."""


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw the figures if the models were quantized on this device."""
    points, seeds, ranges = (
        tables[name][tables[name]["device"] == device]
        for name in ("quantization_points", "quantization_seeds", "ranges_quantiles")
    )
    if not points.empty:
        draw_widths(points, seeds, folder)
        draw_bits(points, seeds, folder)
        draw_epochs(points, seeds, folder)
    if not ranges.empty:
        draw_ranges(ranges, folder)


def draw_widths(points: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw accuracy against the width, PTQ and QAT, with the two float32 models as lines."""
    points, seeds = (table[table["curve"] == "widths"] for table in (points, seeds))
    whole = points[points["format"] == "float32"]
    figure, axes = plt.subplots(figsize=(WIDTH, 2.6))
    words = []
    for number, (arm, (colour, marker)) in enumerate(TRAININGS.items()):
        mean, each = (
            table[(table["arm"] == arm) & (table["format"] != "float32")]
            for table in (points, seeds)
        )
        shift = 0.3 * (number - 0.5)
        words.append(draw_curve(axes, mean, each, "width", arm, colour, marker, shift))
    for arm, label, style in (("PTQ", "float32", "-"), ("QAT", "float32, trained as long", ":")):
        words.append(draw_level(axes, whole[whole["arm"] == arm], label, style))
    axes.set(xlabel="width (bits), half of them fractional", ylabel="validation accuracy (%)")
    axes.set_xticks(sorted(points[points["format"] != "float32"]["width"].unique()))
    axes.legend()
    save(figure, folder, "quantization_widths", " ".join(words))


def draw_bits(points: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw accuracy against the integer bits and, beside it, against the fractional bits."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 2.6), sharey=True)
    words = []
    for kind, axes in zip(("integer", "fractional"), panels, strict=True):
        column = f"{kind}_bits"
        chosen = [table[table["curve"] == f"{kind}-bits"] for table in (points, seeds)]
        for number, (arm, (colour, marker)) in enumerate(TRAININGS.items()):
            mean, each = (table[table["arm"] == arm] for table in chosen)
            shift = 0.12 * (number - 0.5)
            words.append(draw_curve(axes, mean, each, column, arm, colour, marker, shift))
        other = "4 fractional bits" if kind == "integer" else "5 integer bits"
        axes.set(title=f"beside {other}", xlabel=f"{kind} bits")
        if chosen[0][column].max() > 16:
            axes.set_xscale("symlog", base=2, linthresh=8)
            ticks = [n for n in sorted(chosen[0][column].unique()) if n <= 6 or n >= 8]
            axes.set_xticks(ticks, [str(n) for n in ticks])
            axes.minorticks_off()
    panels[0].set_ylabel("validation accuracy (%)")
    panels[1].legend()
    figure.tight_layout()
    save(figure, folder, "quantization_bits", " ".join(words))


def draw_epochs(points: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw accuracy and training loss against the epochs of QAT."""
    points, seeds = (table[table["curve"] == "epochs"] for table in (points, seeds))
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 2.3))
    words = [draw_curve(left, points, seeds, "epochs", "QAT, 8 bits", *TRAININGS["QAT"])]
    left.set(xlabel="epochs", ylabel="validation accuracy (%)")
    right.plot(points["epochs"], points["loss"], "s-", color=TRAININGS["QAT"][0])
    right.set(xlabel="epochs", ylabel="training loss, last epoch\n(bits a review)")
    right.set_ylim(bottom=0)
    words += [f"Training loss after {n:g} epochs: {x:.3g} bits." for n, x in
              points[["epochs", "loss"]].values]  # fmt: skip
    for axes in (left, right):
        axes.set_xticks(sorted(points["epochs"].unique()))
    figure.tight_layout()
    save(figure, folder, "quantization_epochs", " ".join(words))


def draw_ranges(ranges: pd.DataFrame, folder: Path) -> None:
    """Draw how far the values of every layer reach, one panel a kind of tensor."""
    layers = list(dict.fromkeys(ranges["layer"]))
    figure, panels = plt.subplots(
        1, len(KINDS), figsize=(WIDTH, 0.9 + 0.2 * len(layers)), sharey=True
    )
    words = []
    for (kind, label), colour, axes in zip(KINDS.items(), COLOURS, panels, strict=False):
        rows = ranges[ranges["kind"] == kind].set_index("layer").loc[layers]
        places = range(len(layers))
        for low, high, thickness in SPANS:
            axes.hlines(places, rows[low], rows[high], color=colour, lw=thickness)
        reach = float(rows[["q0", "q1"]].abs().to_numpy().max())
        axes.set(title=label, xlabel="value", xlim=(-1.1 * reach, 1.1 * reach))
        for limit in LIMITS:
            if limit < 1.1 * reach:
                for side in (-limit, limit):
                    axes.axvline(side, color="black", lw=0.6, ls=":")
        axes.grid(axis="y", visible=False)
        words.append(f"The largest magnitude of all {label} is {reach:.3g}.")
    panels[0].set_yticks(range(len(layers)), layers)
    panels[0].invert_yaxis()
    figure.tight_layout()
    save(figure, folder, "ranges", " ".join(words))
