"""The figure of pruned models' speed."""

import matplotlib.pyplot as plt
import pandas as pd

from labs.figures.figure import Drawing, Figures
from labs.figures.rows import time_dots
from labs.figures.style import WIDTH, spoken

FIGURES = Figures()


@FIGURES.figure("compression_speed_inference", "compression_speed_inference")
def draw_inference(speed: pd.DataFrame) -> Drawing:
    """Draw the time per batch for each way of pruning."""
    labels = [
        row["way"] if row["sparsity"] == 0 else f"{row['way']}, sparsity {row['sparsity']:g}"
        for _, row in speed.iterrows()
    ]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.4 + 0.18 * len(speed)))
    time_dots(axes, speed, labels)
    axes.set_xlabel("time of a batch (ms)")
    words = map("{}: {}.".format, labels, map(spoken, speed["seconds"]))
    return Drawing(figure, f"Time of a batch. {' '.join(words)}")
