"""The figure of the training loops."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import dots
from labs.figures.style import WIDTH

FIGURES = Figures()


@FIGURES.figure("loops_time", "loops_time")
def draw_time(loops: pd.DataFrame) -> Drawing:
    """Draw how many reviews per second each loop trains, with the interval over processes."""
    figure, axes = plt.subplots(figsize=(WIDTH, 0.4 + 0.2 * len(loops)))
    dots(axes, loops, loops["arm"], "rate")
    axes.set(xlabel="reviews trained per second", xlim=(0, None))
    words = [f"{row['arm']}: {row['rate']:.3g}." for _, row in loops.iterrows()]
    return Drawing(figure, "Reviews trained per second. " + " ".join(words))
