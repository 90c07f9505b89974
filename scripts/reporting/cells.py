"""The cells of a table as the report prints them: one unit per column, intervals beside values."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from markupsafe import Markup

from labs.records.quantity import Quantity, Step
from reporting import ReportError, text
from reporting.evidence import Table, find
from reporting.points import Points, as_points

# The numeric formats of a column, each with the unit of the numbers. Points are differences of
# shares, and a loss is one that prints with the other sign.
COLUMN_UNITS = {
    "duration": "s",
    "bytes": "bytes",
    "rate": "bytes/s",
    "operations": "op/s",
    "ratio": "ratio",
    "percent": "share",
    "points": "share",
    "loss": "share",
    "count": "count",
}
COLUMN_FORMATS = ("text", "code", *COLUMN_UNITS)
POINTS = Step("pp", 0.01)
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
        if style in ("points", "loss"):
            printed += _numbers(heading, POINTS, [_as_points(style, one) for one in quantities])
        else:
            printed += _numbers(heading, text.column_step(unit, _values(quantities)), quantities)
    headers, *cells = zip(*printed, strict=True)
    return Cells(headers, cells)


def _values(quantities: Sequence[Quantity | None]) -> list[float]:
    return [quantity.value for quantity in quantities if quantity]


def _as_points(style: str, share: Quantity | None) -> Points | None:
    points = as_points(share) if share else None
    return points.turned() if points and style == "loss" else points


def _numbers(
    heading: str, step: Step | None, quantities: Sequence[Quantity | None]
) -> list[list[Cell]]:
    """Return a column of numbers, in one unit where that suits all, and one of their intervals."""
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
