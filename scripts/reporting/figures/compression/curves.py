"""Curves of accuracy: the mean over seeds with its interval, and every seed."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes


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

    ``shift`` moves it sideways, so that intervals of several curves stand side by side.
    """
    points = points.sort_values(x)
    places = points[x] + shift
    low, high = points["accuracy_low"] * 100, points["accuracy_high"] * 100
    axes.vlines(places, low, high, color=colour, lw=1, alpha=0.6)
    axes.plot(places, points["accuracy"] * 100, f"{marker}-", color=colour, label=label)
    axes.plot(
        seeds[x] + shift, seeds["accuracy"] * 100, "_", color=colour, markersize=4, alpha=0.7
    )  # fmt: skip
    heights = [f"{a:g}: {b:.1%}" for a, b in points[[x, "accuracy"]].values]
    return f"{label}, accuracy by {x.replace('_', ' ')}: {', '.join(heights)}."


def draw_level(axes: Axes, points: pd.DataFrame, label: str, style: str) -> str:
    """Draw the accuracy of a single point as a horizontal line; return it in words."""
    accuracy = float(points["accuracy"].iloc[0])
    axes.axhline(accuracy * 100, color="black", lw=0.9, ls=style, label=label)
    return f"{label}: {accuracy:.1%}."
