"""The figure of the linear + ReLU experiment."""

from labs.experiments.fusion.drawn_arms import draw_arms
from labs.figures.figure import Figures

FIGURES = Figures()
FIGURES.figure_per_device("linear_relu_time", "linear_relu_time")(draw_arms)
