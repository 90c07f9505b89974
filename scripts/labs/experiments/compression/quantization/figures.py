"""Figures of fixed-point models: accuracy by width, by kind of bits, and by epochs."""

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from labs.experiments.compression.drawn_curves import draw_curve, draw_level
from labs.experiments.compression.quantization import names
from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, WIDTH
from labs.formats.names import FLOAT32

FIGURES = Figures()
APART = 2.0
"""Between the curves, in points."""
TRAININGS = {names.PTQ: (COLOURS[7], "o"), names.QAT: (COLOURS[0], "s")}


@FIGURES.figure("quantization_widths", "quantization_points", "quantization_seeds")
def draw_widths(points: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw accuracy against width for PTQ and QAT, with the two float32 models as lines."""
    points, seeds = (table[table["curve"] == names.WIDTHS] for table in (points, seeds))
    whole = points[points["format"] == FLOAT32]
    points, seeds = (table[table["format"] != FLOAT32] for table in (points, seeds))
    figure, axes = plt.subplots(figsize=(WIDTH, 1.9))
    words = _draw_trainings(axes, points, seeds, "width")
    levels = {names.PTQ: ("float32", "-"), names.QAT: ("float32, trained as long", ":")}
    for arm, (label, style) in levels.items():
        words.append(draw_level(axes, whole[whole["arm"] == arm], label, style))
    axes.set(xlabel="width (bits), half of them fractional", ylabel="validation accuracy (%)")
    axes.set_xticks(sorted(points["width"].unique()))
    axes.legend()
    return Drawing(figure, " ".join(words))


@FIGURES.figure("quantization_bits", "quantization_points", "quantization_seeds")
def draw_bits(points: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw accuracy against the integer bits and, in a second panel, the fractional bits."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 1.9), sharey=True)
    curves = (
        ("integer", names.INTEGER_BITS, f"{names.FRACTION} fractional"),
        ("fractional", names.FRACTIONAL_BITS, f"{names.INTEGERS} integer"),
    )
    words = []
    for (kind, curve, others), axes in zip(curves, panels, strict=True):
        column = f"{kind}_bits"
        mean, each = (table[table["curve"] == curve] for table in (points, seeds))
        words += _draw_trainings(axes, mean, each, column)
        axes.set(title=f"with {others} bits", xlabel=f"{kind} bits")
        if mean[column].max() > 16:
            axes.set_xscale("symlog", base=2, linthresh=8)
            ticks = [n for n in sorted(mean[column].unique()) if n <= 6 or n >= 8]
            axes.set_xticks(ticks, [str(n) for n in ticks])
            axes.minorticks_off()
    panels[0].set_ylabel("validation accuracy (%)")
    panels[1].legend()
    return Drawing(figure, " ".join(words))


@FIGURES.figure("quantization_epochs", "quantization_points", "quantization_seeds")
def draw_epochs(points: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw accuracy and training loss against the epochs of QAT."""
    points, seeds = (table[table["curve"] == names.EPOCHS] for table in (points, seeds))
    figure, (left, right) = plt.subplots(1, 2, figsize=(WIDTH, 1.7))
    words = [draw_curve(left, points, seeds, "epochs", "QAT, 8 bits", *TRAININGS[names.QAT])]
    left.set(xlabel="epochs", ylabel="validation accuracy (%)")
    right.plot(points["epochs"], points["loss"], "s-", color=TRAININGS[names.QAT][0])
    right.set(xlabel="epochs", ylabel="training loss, last epoch\n(bits per review)")
    right.set_ylim(bottom=0)
    losses = points[["epochs", "loss"]].values
    words += [f"Training loss after {n:g} epochs: {loss:.3g} bits." for n, loss in losses]
    for axes in (left, right):
        axes.set_xticks(sorted(points["epochs"].unique()))
    return Drawing(figure, " ".join(words))


def _draw_trainings(
    axes: Axes, points: pd.DataFrame, seeds: pd.DataFrame, column: str
) -> list[str]:
    """Draw the curves of PTQ and QAT against a column, side by side; return them in words."""
    words = []
    for number, (arm, (colour, marker)) in enumerate(TRAININGS.items()):
        mean, each = (table[table["arm"] == arm] for table in (points, seeds))
        shift = APART * (number - 0.5)
        words.append(draw_curve(axes, mean, each, column, arm, colour, marker, shift))
    return words
