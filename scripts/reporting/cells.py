"""The cells of a table as the report prints them: one unit per column, intervals beside values."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from reporting import ReportError, text
from reporting.evidence import Table, find

# The numeric formats of a column, each with the unit of the numbers.
COLUMN_UNITS = {
    "duration": "s",
    "bytes": "bytes",
    "rate": "bytes/s",
    "operations": "op/s",
    "ratio": "ratio",
    "percent": "share",
    "count": "count",
}
COLUMN_FORMATS = ("text", "code", "verdict", *COLUMN_UNITS)
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


@dataclass(frozen=True)
class Header:
    """A column's heading; `kind` is the CSS class of its cells."""

    text: str
    kind: str


class Cell(NamedTuple):
    """A cell's text, and the number that it is written from; an interval's is its lower bound."""

    text: str
    value: float | None = None


@dataclass
class Cells:
    """A table ready to print: one heading per column, and columns of equal length."""

    headers: list[Header] = field(default_factory=list)
    columns: list[list[Cell]] = field(default_factory=list)

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The cells, row by row."""
        return list(zip(*self.columns, strict=True))

    def add(self, heading: str, kind: str, column: list[Cell]) -> None:
        """Add a column."""
        self.headers.append(Header(heading, kind))
        self.columns.append(column)

    def add_numbers(
        self, heading: str, unit: str, quantities: Sequence[text.Quantity | None]
    ) -> None:
        """Add a column of numbers, in one unit where that suits all, and one of their intervals."""
        step = text.column_step(unit, [quantity.value for quantity in quantities if quantity])
        points, intervals = [], []
        for quantity in quantities:
            if quantity is None:
                points.append(Cell(""))
                intervals.append(Cell(""))
                continue
            point = quantity.point if step is None else quantity.point_in(step)
            interval = quantity.interval if step is None else quantity.interval_in(step)
            points.append(Cell(point, quantity.value))
            intervals.append(Cell(interval, quantity.low))
        if step:
            aligned = text.align([cell.text for cell in points])
            points = [
                cell._replace(text=words) for cell, words in zip(points, aligned, strict=True)
            ]
            heading += f"\u00a0({step.symbol})" if step.symbol else ""
        self.add(heading, "number", points)
        if any(cell.text for cell in intervals):
            self.add(f"{text.CONFIDENCE_LEVEL} interval", "interval", intervals)


def data_value(value: float | None) -> Markup:
    """Return the attribute that a table in the HTML is sorted by; none of what is no number."""
    finite = value is not None and math.isfinite(value)
    return Markup(' data-value="{}"').format(value) if finite else Markup()


def table_cells(
    tables: Mapping[str, Table],
    name: str,
    columns: Sequence[str | Sequence[str]],
    where: Mapping[str, str],
) -> Cells:
    """Return the cells of the table with this name.

    A column is `"name"`, `("name", "Heading")` or `("name", "Heading", "format")`, with a
    format of COLUMN_FORMATS. A column whose file also holds `<name>_low` and `<name>_high`
    is followed by its interval. `where` keeps the rows whose cells equal the given ones.

    Raises `ReportError` for an unknown column or format, and if no row is left.
    """
    table = find("table", tables, name)
    specs = [(spec,) if isinstance(spec, str) else tuple(spec) for spec in columns]
    for column in (*where, *(spec[0] for spec in specs)):
        if column not in table.columns:
            known = ", ".join(table.columns)
            raise ReportError(f"table {name!r} has no column {column!r}; it has {known}")
    rows = [
        row
        for row in table.rows
        if all(row[column] == str(wanted) for column, wanted in where.items())
    ]
    if not rows:
        raise ReportError(f"table {name!r} has no row where {dict(where)}")
    cells = Cells()
    for column, *rest in specs:
        texts = [row[column] for row in rows]
        numeric = any(texts) and all(NUMBER.fullmatch(cell) for cell in texts if cell)
        heading = rest[0] if rest else column.replace("_", " ").capitalize()
        style = rest[1] if len(rest) > 1 else "count" if numeric else "text"
        if style not in COLUMN_FORMATS:
            raise ReportError(f"column format {style!r} is not one of {COLUMN_FORMATS}")
        if style not in COLUMN_UNITS:
            cells.add(heading, style, [Cell(cell) for cell in texts])
            continue
        try:
            quantities = [
                text.Quantity.read(
                    row[column],
                    row.get(f"{column}_low", ""),
                    row.get(f"{column}_high", ""),
                    COLUMN_UNITS[style],
                )
                if row[column]
                else None
                for row in rows
            ]
        except ValueError as error:
            raise ReportError(f"table {name!r}, column {column!r}: {error}") from error
        cells.add_numbers(heading, COLUMN_UNITS[style], quantities)
    return cells
