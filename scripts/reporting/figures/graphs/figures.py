"""Figures of the graph experiment: what differs between graphs, and the modules of the model."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from reporting.figures.graphs import difference as graph_difference
from reporting.figures.graphs import modules as graph_modules


def draw(tables: dict[str, pd.DataFrame], device: str, folder: Path) -> None:
    """Draw all figures; they do not depend on a device, and are drawn with the CPU's."""
    if device != "cpu":
        return
    graph_modules.draw_modules(tables["graphs_modules"], folder)
    for comparison in graph_difference.TITLES:
        boxes, edges = (
            tables[name][tables[name]["comparison"] == comparison]
            for name in ("graphs_boxes", "graphs_edges")
        )
        graph_difference.draw_difference(boxes, edges, comparison, folder)
