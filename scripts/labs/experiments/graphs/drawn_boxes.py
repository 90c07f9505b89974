"""Boxes and arrows for drawings of graphs."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch
from matplotlib.path import Path

from labs.figures.style import COLOURS

INK, GREY, GHOST = "#1c1e21", "#8a9099", "#a9afb8"
SHADE = "#ebedf0"
MARK, TINT = COLOURS[3], "#fbe6d8"
"""The highlight colour, for lines and as a background."""

Point = tuple[float, float]


def box(
    axes: Axes,
    centre: Point,
    size: Point,
    face: object = "white",
    edge: object = GREY,
    width: float = 0.8,
    dashed: bool = False,
) -> None:
    """Draw a box with round corners."""
    corner = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    patch = FancyBboxPatch(corner, *size, boxstyle="round,pad=0,rounding_size=0.05")
    line = (0, (3, 2)) if dashed else "-"
    patch.set(facecolor=face, edgecolor=edge, linewidth=width, linestyle=line)
    axes.add_patch(patch)


def arrow(axes: Axes, points: Sequence[Point], bold: bool = False) -> None:
    """Draw a line through points with an arrowhead at its end, beneath all boxes."""
    patch = FancyArrowPatch(path=Path(points), arrowstyle="-|>", mutation_scale=5, fill=False)
    colour, width = (MARK, 1.4) if bold else (GREY, 0.8)
    patch.set(color=colour, linewidth=width, joinstyle="round", zorder=0.5)
    axes.add_patch(patch)
