"""The figure of the linear + ReLU experiment."""

import pandas as pd

from reporting.figures.figure import Drawing, Figures
from reporting.figures.fusion.arms import draw_arms

FIGURES = Figures()


@FIGURES.figure_per_device("linear_relu_time", "linear_relu_time")
def draw_time(times: pd.DataFrame) -> Drawing:
    """Draw the time of every arm."""
    return draw_arms(times)
