"""The figure of the model's modules, with the operators in each."""

from itertools import count, starmap

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from labs.experiments.graphs.drawn_boxes import INK, MARK, SHADE, TINT, arrow, box
from labs.experiments.graphs.names import times
from labs.figures.figure import Drawing, Figures
from labs.figures.style import WHOLE

FIGURES = Figures()
ROW, BOX_HEIGHT, BOX_WIDTH = 0.2, 0.15, 6.0
FIRST_OPERATOR, LANE = 1.72, 0.13
MARK_WIDTH = 0.52
"""All in inches."""


@FIGURES.figure("graphs_modules", "graphs_modules")
def draw_modules(modules: pd.DataFrame) -> Drawing:
    """Draw one box per module in execution order, with its operators; dropouts are marked.

    Arrows join neighbours; lines on the right bypass modules.
    """
    modules = modules.fillna("").set_index("module")
    figure, axes = plt.subplots(figsize=(WHOLE, ROW * len(modules)), layout="none")
    figure.subplots_adjust(0, 0, 1, 1)
    axes.set(xlim=(-0.01, WHOLE - 0.01), ylim=(ROW * len(modules), 0))
    axes.axis("off")
    heights = {name: ROW * (place + 0.5) for place, name in enumerate(modules.index)}
    words = []
    lanes: list[tuple[int, float]] = []
    for name, y in heights.items():
        pairs = (operator.split(":") for operator in modules.loc[name, "operators"].split())
        counts = {operator: int(count) for operator, count in pairs}
        words.append(f"{name}: {', '.join(starmap(times, counts.items())) or 'no operator'}.")
        _draw_module(axes, y, name, counts)
        for start in (heights[parent] for parent in modules.loc[name, "reads"].split()):
            if y - start < 1.5 * ROW:
                middle = BOX_WIDTH / 2
                arrow(axes, [(middle, start + BOX_HEIGHT / 2), (middle, y - BOX_HEIGHT / 2)])
                continue
            lane = next(n for n in count() if all(n != m or end <= start for m, end in lanes))
            lanes.append((lane, y))
            x, leave, enter = BOX_WIDTH + 0.12 + LANE * lane, start + 0.04, y - 0.04
            arrow(axes, [(BOX_WIDTH, leave), (x, leave), (x, enter), (BOX_WIDTH, enter)])
    alt = "The modules of the model in running order, with their operators. " + " ".join(words)
    return Drawing(figure, alt)


def _draw_module(axes: Axes, y: float, name: str, counts: dict[str, int]) -> None:
    """Draw the box of a module: its name, its operators and, marked, its dropouts."""
    middle = BOX_WIDTH / 2, y
    box(axes, middle, (BOX_WIDTH, BOX_HEIGHT), face="white" if counts else SHADE)
    short = name.removeprefix("bert.encoder.")
    axes.text(0.07, y, short, va="center", fontsize=6.8, fontweight="semibold", color=INK)
    others = [times(*counted) for counted in counts.items() if counted[0] != "dropout"]
    axes.text(FIRST_OPERATOR, y, ", ".join(others), va="center", fontsize=6.3, color=INK)
    if "dropout" in counts:
        place = BOX_WIDTH - MARK_WIDTH / 2 - 0.04, y
        box(axes, place, (MARK_WIDTH, 0.13), TINT, MARK)
        words = times("dropout", counts["dropout"])
        axes.text(*place, words, ha="center", va="center", fontsize=6.3, color=INK)
