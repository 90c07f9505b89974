"""Figures of what differs between two graphs: side by side, with each node in the same place."""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes

from labs.experiments.graphs.drawn_boxes import GHOST, INK, MARK, SHADE, TINT, Point, arrow, box
from labs.experiments.graphs.layered import layered
from labs.figures.figure import Drawing, Figures
from labs.figures.style import WHOLE, WIDTH

FIGURES = Figures()
TITLES = {
    "mask": {"before": "input_ids alone", "after": "with attention_mask"},
    "labels": {"before": "with attention_mask", "after": "with attention_mask and labels"},
}
COLUMN, LAYER = 0.56, 0.43
"""The distance from one to the next, in inches."""
BOX = (0.53, 0.36)
"""Width and height, in inches."""
LONGEST_LINE = 11


def _draw_difference(boxes: pd.DataFrame, edges: pd.DataFrame, comparison: str) -> Drawing:
    """Draw both graphs: nodes that only one has are bold and marked + there, and dashed in the
    other; nodes that lead to no output are grey.
    """
    boxes, edges = (table[table["comparison"] == comparison] for table in (boxes, edges))
    reads: dict[str, list[str]] = {name: [] for name in boxes["box"]}
    for source, target in edges[["source", "target"]].itertuples(index=False):
        reads[target].append(source)
    places, routes = layered(reads)
    left, right = (side(x for x, _ in places.values()) for side in (min, max))
    middle = (left + right) / 2
    width = WIDTH if 2 * (right - left + 1) * COLUMN < WIDTH else WHOLE
    down = (max(layer for _, layer in places.values()) + 1) * LAYER
    figure, panels = plt.subplots(1, 2, figsize=(width, down + 0.25), layout="none")
    figure.subplots_adjust(0, 0, 1, down / (down + 0.25), 0)
    for graph, axes in zip(("before", "after"), panels, strict=True):
        axes.set(title=TITLES[comparison][graph], ylim=(down, 0))
        axes.set_xlim(middle * COLUMN - width / 4, middle * COLUMN + width / 4)
        axes.axis("off")
        for edge in edges[edges["status"].isin(["both", graph])].to_dict("records"):
            points = [_inches(place) for place in routes[edge["source"], edge["target"]]]
            _draw_edge(axes, points, edge["status"] == graph)
        for row in boxes.fillna("").to_dict("records"):
            _draw_node(axes, _inches(places[row["box"]]), row, graph)
    only = ", ".join(boxes.loc[boxes["status"] == "after", "label"])
    alt = (
        f"The nodes around what differs between two graphs: {TITLES[comparison]['before']}, "
        f"and {TITLES[comparison]['after']}. Only the second one has: {only}."
    )
    return Drawing(figure, alt)


TABLES = ("graphs_boxes", "graphs_edges")
FIGURES.figure("graphs_mask", *TABLES)(partial(_draw_difference, comparison="mask"))
FIGURES.figure("graphs_labels", *TABLES)(partial(_draw_difference, comparison="labels"))


def _inches(place: tuple[float, int]) -> Point:
    return place[0] * COLUMN, (place[1] + 0.5) * LAYER


def _draw_edge(axes: Axes, points: Sequence[Point], only_here: bool) -> None:
    """Draw an edge, vertical where it crosses a layer, and bold if only this graph has it."""
    half = BOX[1] / 2
    steps = [(x, y + side) for x, y in points for side in (-half, half)]
    arrow(axes, steps[1:-1], bold=only_here)


def _draw_node(axes: Axes, centre: Point, row: dict[Any, Any], graph: str) -> None:
    only_here, absent = row["status"] == graph, row["status"] not in ("both", graph)
    if only_here:
        box(axes, centre, BOX, TINT, MARK, 1.6)
        corner = centre[0] - BOX[0] / 2 + 0.055, centre[1] - BOX[1] / 2 + 0.065
        axes.text(*corner, "+", ha="center", va="center", fontsize=8, fontweight="semibold")
    elif absent:
        box(axes, centre, BOX, edge=GHOST, dashed=True)
    else:
        box(axes, centre, BOX, SHADE if row[f"unused_{graph}"] else "white")
    lines = _lines(row["label"], row["outside"])
    axes.text(
        *centre, "\n".join(lines), ha="center", va="center", fontsize=6,
        linespacing=0.95 if len(lines) < 4 else 0.8,
        color=GHOST if absent else INK, fontweight="semibold" if only_here else "normal",
    )  # fmt: skip


def _lines(label: str, module: str) -> list[str]:
    """Return the lines of a box: an operator's name, and its module's or layer's if given."""
    lines = [""]
    for part in re.findall(r"[^_ ]*[_ ]*", label):
        if lines[-1] and len(lines[-1]) + len(part.strip()) > LONGEST_LINE:
            lines.append("")
        lines[-1] += part
    layer = re.search(r"layer\.(\d+)", module)
    if module:
        lines.append(f"({'layer ' + layer[1] if layer else module.split('.')[-1]})")
    return [line.strip() for line in lines]
