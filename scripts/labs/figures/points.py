"""The values of a drawing's points, which a browser shows where the pointer rests on one."""

import xml.etree.ElementTree as ET
from io import StringIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from reporting.drawing import SVG, XLINK

SAME = 0.1
"""A mark within this distance of a point belongs to it; in 72nds of an inch, the SVG's unit."""


def svg(figure: Figure) -> str:
    """Return a figure as SVG in which each point of a line with marks has its values as a title."""
    marked: dict[str, tuple[Axes, Line2D]] = {}
    for axes in figure.axes:
        for line in axes.lines:
            if line.get_marker() not in (None, "", " ", "None"):
                name = f"points-{len(marked)}"
                line.set_gid(name)
                marked[name] = axes, line
    drawn = StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    root = ET.fromstring(drawn.getvalue())
    for group in root.iter(f"{{{SVG}}}g"):
        if group.get("id") in marked:
            axes, line = marked[group.attrib.pop("id")]
            places, titles = _points(figure, axes, line)
            for point in group.iter(f"{{{SVG}}}use"):
                place = float(point.attrib["x"]), float(point.attrib["y"])
                distances = np.abs(places - place).max(axis=1)
                # Of a point far outside the figure, matplotlib marks where the line leaves it.
                if distances.min() < SAME:
                    ET.SubElement(point, f"{{{SVG}}}title").text = titles[distances.argmin()]
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode") + "\n"


def _points(figure: Figure, axes: Axes, line: Line2D) -> tuple[np.ndarray, list[str]]:
    """Return where a line's points are in the SVG, (n, 2), and their values in words.

    The SVG counts in 72nds of an inch, y downwards.
    """
    points = np.asarray(line.get_xydata(), dtype=float)
    pixels = line.get_transform().transform(points)
    drawn = np.isfinite(pixels).all(axis=1)
    inches = pixels[drawn] / figure.dpi
    places = np.column_stack([inches[:, 0], figure.get_figheight() - inches[:, 1]]) * 72
    label = str(line.get_label())
    series = [] if label.startswith("_") else [label]
    return places, [
        "; ".join([*series, _words(axes.xaxis, x), _words(axes.yaxis, y)]) for x, y in points[drawn]
    ]


def _words(axis: Axis, value: float) -> str:
    """Return a coordinate after the name of its axis; of a category, the label of its tick."""
    words = f"{value:.4g}"
    if isinstance(axis.get_major_locator(), FixedLocator):
        places = axis.get_majorticklocs()
        labels = axis.get_major_formatter().format_ticks(list(places))
        numbers = [label.replace("\N{MINUS SIGN}", "-") for label in labels]
        if numbers != [f"{place:g}" for place in places]:
            words = labels[int(np.abs(places - value).argmin())]
    return f"{axis.get_label_text()} {words}".strip()
