"""The values of a drawing's points, which a browser shows where the pointer rests on one."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from io import StringIO

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from reporting.drawing import SVG, XLINK


def svg(figure: Figure) -> str:
    """Return a figure as SVG in which each point of a line with marks has its values as a title."""
    titles = {}
    for number, (axes, line) in enumerate(_marked(figure)):
        line.set_gid(f"points-{number}")
        titles[f"points-{number}"] = _titles(axes, line)
    drawn = StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    root = ET.fromstring(drawn.getvalue())
    for group in root.iter(f"{{{SVG}}}g"):
        if group.get("id") in titles:
            points = group.iter(f"{{{SVG}}}use")
            for point, words in zip(points, titles[group.attrib.pop("id")], strict=True):
                ET.SubElement(point, f"{{{SVG}}}title").text = words
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return ET.tostring(root, encoding="unicode") + "\n"


def _marked(figure: Figure) -> list[tuple[Axes, Line2D]]:
    """Return the lines that mark their points, each with its axes."""
    return [
        (axes, line)
        for axes in figure.axes
        for line in axes.lines
        if line.get_marker() not in (None, "", " ", "None")
    ]


def _titles(axes: Axes, line: Line2D) -> list[str]:
    """Return the values of each point that is drawn, in words."""
    label = str(line.get_label())
    series = [] if label.startswith("_") else [label]
    points = np.asarray(line.get_xydata(), dtype=float)
    drawn = np.isfinite(line.get_transform().transform(points)).all(axis=1)
    return [
        "; ".join([*series, _words(axes.xaxis, x), _words(axes.yaxis, y)]) for x, y in points[drawn]
    ]


def _words(axis: Axis, value: float) -> str:
    """Return a coordinate after the name of its axis; of a category, the label of its tick."""
    words = f"{value:.4g}"
    if isinstance(axis.get_major_locator(), FixedLocator):
        places = axis.get_majorticklocs()
        labels = axis.get_major_formatter().format_ticks(list(places))
        if not all(map(_is_number, labels, places)):
            words = labels[int(np.abs(places - value).argmin())]
    return f"{axis.get_label_text()} {words}".strip()


def _is_number(label: str, place: float) -> bool:
    return label.replace("\N{MINUS SIGN}", "-") == f"{place:g}"
