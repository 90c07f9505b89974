"""Curves of accuracy: the mean over seeds with its interval, and every seed."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from labs.figures.style import move_aside


def draw_curve(
    axes: Axes,
    points: pd.DataFrame,
    seeds: pd.DataFrame,
    x: str,
    label: str,
    colour: Any,
    marker: str,
    shift: float = 0.0,
) -> str:
    """Draw a curve of accuracy (in percent) against a column; return it in words.

    ``shift`` moves it to the right, in points.
    """
    points = points.sort_values(x)
    low, high = points["accuracy_low"] * 100, points["accuracy_high"] * 100
    drawn = [
        axes.vlines(points[x], low, high, color=colour, lw=1, alpha=0.6),
        *axes.plot(points[x], points["accuracy"] * 100, f"{marker}-", color=colour, label=label),
        *axes.plot(seeds[x], seeds["accuracy"] * 100, "_", color=colour, markersize=4, alpha=0.7),
    ]
    move_aside(axes, drawn, shift)
    heights = [f"{a:g}: {b:.1%}" for a, b in points[[x, "accuracy"]].values]
    return f"{label}, accuracy by {x.replace('_', ' ')}: {', '.join(heights)}."


def draw_level(axes: Axes, points: pd.DataFrame, label: str, style: str) -> str:
    """Draw the accuracy of a single point as a horizontal line; return it in words."""
    accuracy = float(points["accuracy"].iloc[0])
    axes.axhline(accuracy * 100, color="black", lw=0.9, ls=style, label=label)
    return f"{label}: {accuracy:.1%}."
