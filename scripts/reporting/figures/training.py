"""Figures of the training loops and of SFT against LoRA."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from reporting.figures.style import COLOURS, WIDTH, dots, save

SEEDS = "#9a9a9a"


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw the figures if the models were trained on this device."""
    loops, arms, seeds = (
        tables[name][tables[name]["device"] == device]
        for name in ("loops_time", "lora_arms", "lora_seeds")
    )
    if not loops.empty:
        draw_loops(loops, folder)
    if not arms.empty:
        draw_accuracy(arms, seeds, folder)


def draw_loops(loops: pd.DataFrame, folder: Path) -> None:
    """Draw how many reviews a second each loop trains, with the interval over processes."""
    figure, axes = plt.subplots(figsize=(WIDTH, 0.5 + 0.28 * len(loops)))
    dots(axes, loops, list(loops["arm"]), "rate")
    axes.set(xlabel="reviews trained a second", xlim=(0, None))
    words = [f"{row['arm']}: {row['rate']:.3g}." for _, row in loops.iterrows()]
    save(figure, folder, "loops_time", "Reviews trained a second. " + " ".join(words))


def draw_accuracy(arms: pd.DataFrame, seeds: pd.DataFrame, folder: Path) -> None:
    """Draw each arm's accuracy with its interval over the reviews, and every seed on its own."""
    figure, axes = plt.subplots(figsize=(WIDTH, 0.6 + 0.3 * len(arms)))
    for place, arm in enumerate(arms["arm"]):
        found = seeds[seeds["arm"] == arm]["accuracy"] * 100
        label = "one seed" if place == 0 else None
        axes.plot(found, [place + 0.22] * len(found), "|", color=SEEDS, ms=7, label=label)
    dots(axes, arms, list(arms["arm"]), "accuracy", 100, [COLOURS[0]] * len(arms))
    axes.set(xlabel="accuracy on the test reviews (%)")
    axes.legend(loc="lower left")
    words = [
        f"{row['arm']}: {row['accuracy']:.1%}, seeds from {low:.1%} to {high:.1%}."
        for _, row in arms.iterrows()
        for low, high in [_span(seeds[seeds["arm"] == row["arm"]]["accuracy"])]
    ]
    save(figure, folder, "lora_accuracy", "Accuracy on the test reviews. " + " ".join(words))


def _span(values: pd.Series) -> tuple[float, float]:
    return float(values.min()), float(values.max())
