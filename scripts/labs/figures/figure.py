"""A figure of the report: its name, its tables, and the function that draws it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.figure import Figure

from labs.figures.points import svg
from labs.figures.style import WIDTH
from labs.files import write_text


class Drawing(NamedTuple):
    """A drawn figure with its alternative text."""

    figure: Figure
    alt: str

    def save(self, folder: Path, name: str) -> None:
        """Write ``name``.svg and, beside it, ``name``.json with the alternative text."""
        write_text(folder / f"{name}.svg", svg(self.figure))
        write_text(folder / f"{name}.json", json.dumps({"alt": self.alt}) + "\n")
        plt.close(self.figure)


Draw = Callable[..., Drawing]


@dataclass(frozen=True)
class ReportFigure:
    """A named figure, and the function that draws it from the named tables."""

    name: str
    tables: tuple[str, ...]
    draw: Draw
    per_device: bool

    def drawings(
        self, tables: Mapping[str, pd.DataFrame], devices: Sequence[str]
    ) -> Iterator[tuple[str, Drawing]]:
        """Yield the name and the content of each file: one file, or one per measured device.

        ``tables`` are all tables by name. Without a measurement they have no columns, or no rows of
        a device: the drawing says so then, because the workflow expects the file.
        """
        inputs = [tables[name] for name in self.tables]
        unmeasured = any(table.columns.empty for table in inputs)
        if not self.per_device:
            yield self.name, draw_absence() if unmeasured else self.draw(*inputs)
            return
        for device in devices:
            rows = [] if unmeasured else [table[table["device"] == device] for table in inputs]
            absent = all(table.empty for table in rows)
            yield f"{self.name}_{device}", draw_absence() if absent else self.draw(*rows)


class Figures(list[ReportFigure]):
    """The figures of a module, registered by decorators."""

    def figure(self, name: str, *tables: str, per_device: bool = False) -> Callable[[Draw], Draw]:
        """Register a function that draws one figure from whole tables: figures/<name>.svg."""

        def add(draw: Draw) -> Draw:
            self.append(ReportFigure(name, tables, draw, per_device))
            return draw

        return add

    def figure_per_device(self, name: str, *tables: str) -> Callable[[Draw], Draw]:
        """Register a function that draws from one device's rows: figures/<name>_<device>.svg."""
        return self.figure(name, *tables, per_device=True)


def draw_absence() -> Drawing:
    """Draw that nothing was measured; the report omits this figure."""
    figure = plt.figure(figsize=(WIDTH, 0.4), layout="none")
    figure.text(0.5, 0.5, "not measured", ha="center", va="center")
    return Drawing(figure, "Not measured.")
