"""Figures of pruned models: accuracy by sparsity, with and without training, and speed."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from reporting.figures.compression.curves import draw_curve, draw_level
from reporting.figures.style import COLOURS, WIDTH, clip_to_values, dots, save, spoken

STYLES = {
    "l1": (COLOURS[0], "s"),
    "random": (COLOURS[3], "o"),
    "l1-global": (COLOURS[2], "^"),
    "l1-stale": (COLOURS[1], "v"),
    "l1-activations": (COLOURS[4], "D"),
    "random-activations": (COLOURS[5], "x"),
}
TRAININGS = {"untrained": "pruned", "trained": "pruned, then trained"}


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw the figures if the models were pruned on this device."""
    points, seeds, speed = (
        tables[name][tables[name]["device"] == device]
        for name in ("pruning_points", "pruning_seeds", "compression_speed_inference")
    )
    if not points.empty:
        draw_methods(points, seeds, folder)
        draw_kinds(points, seeds, folder)
    if not speed.empty:
        draw_speed(speed, folder)


def draw_methods(points: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw accuracy against the sparsity by L1 and at random, before and after training."""
    figure, panels = plt.subplots(1, 2, figsize=(WIDTH, 2.7), sharey=True)
    words = []
    for (training, title), axes in zip(TRAININGS.items(), panels, strict=True):
        for curve in ("l1", "random"):
            words.append(f"{title}:")
            words.append(_draw(axes, points, seeds, curve, training))
        whole = points[(points["sparsity"] == 0) & (points["training"] == training)]
        words.append(draw_level(axes, whole, "not pruned", ":"))
        axes.set(title=title, xlabel="sparsity of the weights (%)")
    panels[0].set_ylabel("validation accuracy (%)")
    panels[0].legend()
    figure.tight_layout()
    save(figure, folder, "pruning_methods", " ".join(words))


def draw_kinds(points: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw accuracy against the sparsity for everything that is pruned, without training."""
    figure, axes = plt.subplots(figsize=(WIDTH, 2.8))
    words = [_draw(axes, points, seeds, curve, "untrained") for curve in STYLES]
    axes.set(xlabel="sparsity (%)", ylabel="validation accuracy (%)")
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, folder, "pruning_kinds", " ".join(words))


def draw_speed(speed: pd.DataFrame, folder: Path) -> None:
    """Draw the time of a batch by the way of pruning."""
    labels = [
        row["way"] if row["sparsity"] == 0 else f"{row['way']}, sparsity {row['sparsity']:g}"
        for _, row in speed.iterrows()
    ]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.6 + 0.24 * len(speed)))
    dots(axes, speed, labels, scale=1e3)
    clip_to_values(axes, speed["seconds"] * 1e3)
    axes.set_xlabel("time of a batch (ms)")
    words = [
        f"{label}: {spoken(seconds)}."
        for label, seconds in zip(labels, speed["seconds"], strict=True)
    ]
    save(figure, folder, "compression_speed_inference", "Time of a batch. " + " ".join(words))


def _draw(
    axes: plt.Axes, points: pd.DataFrame, seeds: pd.DataFrame, curve: str, training: str
) -> str:
    """Draw one curve above sparsity zero, in percent; return it in words."""
    mean, each = (
        table[
            (table["curve"] == curve) & (table["training"] == training) & (table["sparsity"] > 0)
        ].assign(percent=lambda part: part["sparsity"] * 100)
        for table in (points, seeds)
    )
    colour, marker = STYLES[curve]
    label, shift = str(mean["way"].iloc[0]), list(STYLES).index(curve) / 2
    return draw_curve(axes, mean, each, "percent", label, colour, marker, shift)
