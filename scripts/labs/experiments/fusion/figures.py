"""The figures of both parts of kernel fusion: the time of every arm."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import time_dots
from labs.figures.style import DTYPE_COLOURS, WHOLE, WIDTH, rows_by, spoken

FIGURES = Figures()


@FIGURES.figure_per_device("linear_relu_time", "linear_relu_time")
@FIGURES.figure_per_device("attention_time", "attention_time")
def draw_arms(table: pd.DataFrame) -> Drawing:
    """Draw the steady time of every arm with its interval, one panel per number format."""
    dtypes = rows_by(table, "dtype")
    arms = list(dict.fromkeys(table["arm"]))
    size = WHOLE if len(dtypes) > 1 else WIDTH, 0.5 + 0.18 * len(arms)
    figure, row = plt.subplots(1, len(dtypes), figsize=size, squeeze=False, sharey=True)
    words = []
    for (dtype, rows), axes in zip(dtypes, row[0], strict=True):
        panel = rows.set_index("arm").reindex(arms).reset_index()
        time_dots(axes, panel, arms, [DTYPE_COLOURS[dtype]] * len(arms))
        axes.set(title=dtype, xlabel="time per call (ms)")
        words += [f"{dtype}, {arm}: {spoken(s)}." for arm, s in panel[["arm", "seconds"]].values]
    return Drawing(figure, "Time per call. " + " ".join(words))
