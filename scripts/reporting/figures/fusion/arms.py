"""The time of every arm, one panel a number format: the figure of both fusion experiments."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

from reporting.figures.style import DTYPE_COLOURS, WIDTH, clip_to_values, dots, save, spoken


def draw_arms(table: pd.DataFrame, name: str, folder: Path) -> None:
    """Draw the steady time of every arm with its interval."""
    dtypes = list(dict.fromkeys(table["dtype"]))
    arms = list(dict.fromkeys(table["arm"]))
    figure, row = plt.subplots(
        1, len(dtypes), figsize=(WIDTH, 0.6 + 0.24 * len(arms)), squeeze=False, sharey=True
    )
    words = []
    for dtype, axes in zip(dtypes, row[0], strict=True):
        panel = table[table["dtype"] == dtype].set_index("arm").reindex(arms).reset_index()
        dots(axes, panel, arms, scale=1e3, colours=[DTYPE_COLOURS[dtype]] * len(arms))
        clip_to_values(axes, panel["seconds"] * 1e3)
        axes.set(title=dtype, xlabel="time a call (ms)")
        words += [f"{dtype}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values]
    figure.tight_layout()
    save(figure, folder, name, "Time a call. " + " ".join(words))
