"""Figures of pruned models: accuracy by sparsity, with and without training."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.experiments.compression.drawn_curves import draw_curve, draw_level
from labs.experiments.compression.pruning import names
from labs.figures.figure import Drawing, Figures
from labs.figures.style import COLOURS, WHOLE, WIDTH

FIGURES = Figures()
APART = 0.7
"""Between the curves, in points."""
STYLES = {
    names.L1: (COLOURS[0], "s"),
    names.RANDOM: (COLOURS[3], "o"),
    names.L1_GLOBAL: (COLOURS[2], "^"),
    names.L1_STALE: (COLOURS[1], "v"),
    names.L1_ACTIVATIONS: (COLOURS[4], "D"),
    names.RANDOM_ACTIVATIONS: (COLOURS[5], "x"),
    names.L1_BOTH: (COLOURS[6], "P"),
    names.RANDOM_BOTH: (COLOURS[7], "+"),
}
TRAININGS = {"untrained": "pruned", "trained": "pruned, then trained"}


@FIGURES.figure("pruning_methods", "pruning_points", "pruning_seeds")
def draw_methods(points: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw accuracy against sparsity for L1 and random pruning, without and with training."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 1.9), sharey=True)
    words = []
    for (training, title), axes in zip(TRAININGS.items(), panels, strict=True):
        for curve in (names.L1, names.RANDOM):
            words.append(f"{title}: {_draw(axes, points, seeds, curve, training)}")
        unpruned = points[(points["sparsity"] == 0) & (points["training"] == training)]
        words.append(draw_level(axes, unpruned, "not pruned", ":"))
        axes.set(title=title, xlabel="sparsity of the weights (%)")
    panels[0].set_ylabel("validation accuracy (%)")
    panels[1].legend(loc="lower left", handlelength=1.2, labelspacing=0.2)
    return Drawing(figure, " ".join(words))


@FIGURES.figure("pruning_kinds", "pruning_points", "pruning_seeds")
def draw_kinds(points: pd.DataFrame, seeds: pd.DataFrame) -> Drawing:
    """Draw accuracy against sparsity for every kind of pruning, without training."""
    figure, axes = plt.subplots(figsize=(WHOLE, 1.9))
    words = [_draw(axes, points, seeds, curve, "untrained") for curve in STYLES]
    axes.set(xlabel="sparsity (%)", ylabel="validation accuracy (%)")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), labelspacing=0.3)
    return Drawing(figure, " ".join(words))


def _draw(
    axes: plt.Axes, points: pd.DataFrame, seeds: pd.DataFrame, curve: str, training: str
) -> str:
    """Draw one curve above sparsity zero, in percent; return it in words."""
    points, seeds = (
        table[(table["curve"] == curve) & (table["training"] == training)]
        .query("sparsity > 0")
        .assign(percent=lambda rows: rows["sparsity"] * 100)
        for table in (points, seeds)
    )
    colour, marker = STYLES[curve]
    label, shift = str(points["way"].iloc[0]), APART * list(STYLES).index(curve)
    return draw_curve(axes, points, seeds, "percent", label, colour, marker, shift)
