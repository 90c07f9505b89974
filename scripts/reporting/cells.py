"""The cells of a table as the report prints them: one unit per column, intervals beside values."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from markupsafe import Markup

from labs.records.quantity import Quantity
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
    "points": "points",
    "loss": "points lost",
    "count": "count",
}
COLUMN_FORMATS = ("text", "code", *COLUMN_UNITS)
NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")


class Cell(NamedTuple):
    """A cell: its CSS class, its text, and the number that it is written from; an interval's is its
    lower bound.
    """

    kind: str
    text: str
    value: float | None = None


class Cells(NamedTuple):
    """A table ready to print."""

    headers: Sequence[Cell]
    rows: Sequence[Sequence[Cell]]


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
    conditions = {column: str(wanted) for column, wanted in where.items()}.items()
    rows = [row for row in table.rows if conditions <= row.items()]
    if not rows:
        raise ReportError(f"table {name!r} has no row where {dict(where)}")
    printed: list[list[Cell]] = []
    for column, *rest in specs:
        texts = [row[column] for row in rows]
        numeric = any(texts) and all(NUMBER.fullmatch(cell) for cell in texts if cell)
        heading = rest[0] if rest else column.replace("_", " ").capitalize()
        style = rest[1] if len(rest) > 1 else "count" if numeric else "text"
        if style not in COLUMN_FORMATS:
            raise ReportError(f"column format {style!r} is not one of {COLUMN_FORMATS}")
        if style not in COLUMN_UNITS:
            printed.append([Cell(style, cell) for cell in (heading, *texts)])
            continue
        unit, names = COLUMN_UNITS[style], (column, f"{column}_low", f"{column}_high")
        try:
            quantities = [
                Quantity.read([row.get(name, "") for name in names], unit) if row[column] else None
                for row in rows
            ]
        except ValueError as error:
            raise ReportError(f"table {name!r}, column {column!r}: {error}") from error
        shown = [one and in_cell(one.as_gain()) for one in quantities]
        printed += _numbers(heading, "pp" if style in ("points", "loss") else unit, shown)
    headers, *cells = zip(*printed, strict=True)
    return Cells(headers, cells)


def in_cell(quantity: Quantity) -> Quantity:
    """Return a quantity as a table shows it."""
    return replace(quantity, unit="pp") if quantity.unit == "points" else quantity


def _numbers(heading: str, unit: str, quantities: Sequence[Quantity | None]) -> list[list[Cell]]:
    """Return a column of numbers, in one unit where that suits all, and one of their intervals."""
    given = [quantity for quantity in quantities if quantity]
    step = (
        text.column_step(given[0].unit, [quantity.value for quantity in given]) if given else None
    )
    texts, points, intervals = [], [], []
    for quantity in quantities:
        point, interval, value, low = "", "", None, None
        if quantity:
            point = quantity.point_in(step) if step else quantity.point
            interval = quantity.interval_in(step or quantity.step)
            value, low = quantity.value, quantity.low
        texts.append(point)
        points.append(Cell("number", point, value))
        intervals.append(Cell("interval", interval, low))
    if step:
        points = [
            cell._replace(text=aligned)
            for cell, aligned in zip(points, text.align(texts), strict=True)
        ]
        heading += f"\u00a0({step.symbol})" if step.symbol else ""
    columns = [[Cell("number", heading), *points]]
    if any(cell.text for cell in intervals):
        columns.append([Cell("interval", f"{text.CONFIDENCE_LEVEL} interval"), *intervals])
    return columns
