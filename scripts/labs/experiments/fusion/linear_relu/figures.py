"""The figure of the linear + ReLU experiment."""

import pandas as pd

from labs.experiments.fusion.drawn_arms import draw_arms
from labs.figures.figure import Drawing, Figures

FIGURES = Figures()


@FIGURES.figure_per_device("linear_relu_time", "linear_relu_time")
def draw_time(times: pd.DataFrame) -> Drawing:
    """Draw the time of every arm."""
    return draw_arms(times)
