"""The cells of a table as the report prints them: one unit per column, intervals beside values."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from markupsafe import Markup

from reporting import ReportError, text
from reporting.evidence import Table

# The numeric formats of a column, each with the unit of the numbers.
COLUMN_UNITS = {
    "duration": "s",
    "bytes": "bytes",
    "rate": "bytes/s",
    "flops": "flop/s",
    "operations": "op/s",
    "energy": "J",
    "ratio": "ratio",
    "percent": "share",
    "count": "count",
}
COLUMN_FORMATS = ("text", "code", "verdict", *COLUMN_UNITS)


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


def data_value(value: float | None) -> Markup:
    """Return the attribute that a table in the HTML is sorted by; none of what is no number."""
    finite = value is not None and math.isfinite(value)
    return Markup(' data-value="{}"').format(value) if finite else Markup()


def table_cells(
    source: Table, columns: Sequence[str | Sequence[str]], where: Mapping[str, str]
) -> Cells:
    """Return the cells of a table.

    A column is `"name"`, `("name", "Heading")` or `("name", "Heading", "format")`, with a
    format of COLUMN_FORMATS. A column whose file also holds `<name>_low` and `<name>_high`
    is followed by its interval. `where` keeps the rows whose cells equal the given ones.

    Raises `ReportError` for an unknown column or format, and if no row is left.
    """
    for column in where:
        if column not in source.columns:
            raise ReportError(f"table {source.name!r} has no column {column!r}")
    rows = [
        row
        for row in source.rows
        if all(row[column] == str(wanted) for column, wanted in where.items())
    ]
    if not rows:
        raise ReportError(f"table {source.name!r} has no row where {dict(where)}")
    cells = Cells()
    for spec in columns:
        column, *rest = (spec,) if isinstance(spec, str) else spec
        heading = rest[0] if rest else column.replace("_", " ").capitalize()
        if column not in source.columns:
            known = ", ".join(source.columns)
            raise ReportError(f"table {source.name!r} has no column {column!r}; it has {known}")
        texts = [row[column] for row in rows]
        style = rest[1] if len(rest) > 1 else "count" if _all_numbers(texts) else "text"
        if style not in COLUMN_FORMATS:
            raise ReportError(f"column format {style!r} is not one of {COLUMN_FORMATS}")
        if style not in COLUMN_UNITS:
            cells.headers.append(Header(heading, style))
            cells.columns.append([Cell(cell) for cell in texts])
            continue
        bounds = [f"{column}_low", f"{column}_high"]
        try:
            quantities = [_quantity(row, [column, *bounds], COLUMN_UNITS[style]) for row in rows]
        except ValueError as error:
            raise ReportError(f"table {source.name!r}, column {column!r}: {error}") from error
        _add_numbers(cells, heading, COLUMN_UNITS[style], quantities)
    return cells


def _all_numbers(texts: list[str]) -> bool:
    """Return whether a column holds numbers alone; some of its cells may be empty."""
    filled = [cell for cell in texts if cell]
    return all(re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", cell) for cell in filled or [""])


def _quantity(row: Mapping[str, str], names: list[str], unit: str) -> text.Quantity | None:
    """Return the quantity in a row's three cells, or None if the first is empty."""
    point, low, high = (float(row[name]) if row.get(name) else None for name in names)
    return None if point is None else text.Quantity(point, low, high, unit)


def _add_numbers(
    cells: Cells, heading: str, unit: str, quantities: list[text.Quantity | None]
) -> None:
    """Add a column of numbers, with their unit in the heading, and one of their intervals."""
    present = [quantity for quantity in quantities if quantity is not None]
    shared = text.column_step(unit, [quantity.value for quantity in present])
    if shared and shared.symbol:
        heading = f"{heading}\u00a0({shared.symbol})"
    points, intervals = [], []
    for quantity in quantities:
        if quantity is None:
            points.append("")
            intervals.append("")
        elif shared is None:
            points.append(quantity.point)
            intervals.append(quantity.interval)
        else:
            points.append(text.number(quantity.value / shared.factor, quantity.digits(shared)))
            intervals.append(quantity.interval_in(shared))
    cells.headers.append(Header(heading, "number"))
    values = [quantity.value if quantity else None for quantity in quantities]
    points = text.align(points) if shared else points
    cells.columns.append([Cell(*cell) for cell in zip(points, values, strict=True)])
    if any(intervals):
        cells.headers.append(Header(f"{text.CONFIDENCE_LEVEL} interval", "interval"))
        lows = [quantity.low if quantity else None for quantity in quantities]
        cells.columns.append([Cell(*cell) for cell in zip(intervals, lows, strict=True)])
