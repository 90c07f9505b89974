"""The figure of the linear + ReLU experiment."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reporting.figures.fusion.arms import draw_arms


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw the time of every arm on one device."""
    times = tables["linear_relu_time"]
    draw_arms(times[times["device"] == device], f"linear_relu_time_{device}", folder)
