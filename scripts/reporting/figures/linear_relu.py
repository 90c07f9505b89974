"""The figure of the linear + ReLU experiment."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from reporting.figures.style import DTYPE_COLOURS, WIDTH, clip_to_values, dots, save, spoken


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw the time of every arm, one panel a number format."""
    table = tables["linear_relu_time"]
    table = table[table["device"] == device]
    dtypes = list(dict.fromkeys(table["dtype"]))
    arms = list(dict.fromkeys(table["arm"]))
    figure, row = plt.subplots(
        1, len(dtypes), figsize=(WIDTH, 0.6 + 0.24 * len(arms)), squeeze=False, sharey=True
    )
    words = []
    for dtype, axes in zip(dtypes, row[0], strict=True):
        panel = table[table["dtype"] == dtype]
        dots(axes, panel, arms, scale=1e3, colours=[DTYPE_COLOURS[dtype]] * len(arms))
        clip_to_values(axes, panel["seconds"] * 1e3)
        axes.set(title=dtype, xlabel="time a call (ms)")
        words += [f"{dtype}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values]
    figure.tight_layout()
    save(figure, folder, f"linear_relu_time_{device}", "Time a call. " + " ".join(words))
