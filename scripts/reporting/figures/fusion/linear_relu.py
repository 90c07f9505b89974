"""The figure of the linear + ReLU experiment."""

from reporting.figures.figure import Figures
from reporting.figures.fusion.arms import draw_arms

FIGURES = Figures()
FIGURES.figure_per_device("linear_relu_time", "linear_relu_time")(draw_arms)
