"""What differs between two runs, as lines for a terminal and as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from markupsafe import Markup

from labs.comparison.changes import Changes
from labs.comparison.numbers import FALSE_DISCOVERIES, LOGARITHMIC, Number, Pair
from labs.comparison.run import Run
from reporting import text
from reporting.drawing import inline
from reporting.html import environment
from reporting.text import Quantity

DOCUMENT = "comparison.html.j2"

NUMBER = {True: ", its number moved", False: ", its number did not move beyond noise", None: ""}
"""What the terminal adds to a verdict that changed."""

SHOWN = 10
"""How many lines of one kind the terminal shows; the page has all."""


@dataclass(frozen=True)
class Comparison:
    """Two runs of a preset, and what differs in them."""

    preset: str
    old: Run
    new: Run
    found: Changes

    def page(self, templates: Path, css: str) -> str:
        """Return the whole document."""
        return (
            environment(templates)
            .get_template(DOCUMENT)
            .render(
                css=Markup(css),
                preset=self.preset,
                old=self.old,
                new=self.new,
                found=self.found,
                around={
                    kind: list(some)
                    for kind, some in groupby(self.found.around, key=lambda change: change.kind)
                },
                estimate=estimate,
                quantity=quantity,
                change=change,
                drawing=drawing,
                confidence=text.CONFIDENCE_LEVEL,
                false_discoveries=Quantity(FALSE_DISCOVERIES, unit="share").verbatim,
            )
        )

    def lines(self) -> str:
        """Return what the terminal shows: every count, and the first of each kind."""
        found, numbers = self.found, self.found.numbers
        moved = [f"{pair.name}: {_pair(pair)}" for pair in numbers.moved]
        differing = [f"{pair.name}: {_pair(pair)}" for pair in numbers.differing]
        around = [
            f"{change.kind} {change.what}: {change.old} -> {change.new} ({_where(change.where)})"
            for change in found.around
        ]
        verdicts = [
            f"{one.new['id']}: {_judged(one.old)} -> {_judged(one.new)}{NUMBER[one.moved]}"
            for one in found.verdicts
        ]
        return "\n".join(
            [
                f"Accepted: {_run(self.old)}",
                f"Now:      {_run(self.new)}",
                *(["Nothing changed."] if found.is_empty else []),
                f"Changes around the numbers: {len(around)}",
                *_first(around),
                f"Verdicts that changed: {len(verdicts)}; the same: {found.kept}; "
                f"claims new: {len(found.new)}, gone: {len(found.gone)}",
                *_first(verdicts),
                f"Numbers with an interval that moved: {len(moved)} of {len(numbers.tested)}",
                *_first(moved),
                "Numbers without one, or not measured again, that differ: "
                f"{len(differing)} of {numbers.exact}",
                *_first(differing),
                f"Numbers not compared: {sum(map(len, numbers.not_compared.values()))}; "
                f"new: {len(numbers.new)}, gone: {len(numbers.gone)}",
                f"Figures that differ: {len(found.figures.differing)}; "
                f"the same: {found.figures.same}; "
                f"new: {len(found.figures.new)}, gone: {len(found.figures.gone)}",
            ]
        )


def quantity(number: Number) -> Quantity:
    """Return a value as the report prints it."""
    estimate = number.estimate
    low, high = (estimate.low, estimate.high) if number.has_interval else (None, None)
    return Quantity(estimate.value, low, high, number.unit)


def estimate(claim: Mapping[str, Any]) -> Quantity | None:
    """Return a claim's estimate as the report prints it, or None if it has none."""
    if claim["estimate"] is None:
        return None
    low, high = claim["interval"] or (None, None)
    return Quantity(claim["estimate"], low, high, claim["unit"])


def change(pair: Pair) -> str:
    """Return by how much a value changed: a factor, where it is of that kind, or a difference."""
    old, new, unit = pair.old.estimate.value, pair.new.estimate.value, pair.new.unit
    if unit in LOGARITHMIC and old > 0 and new > 0:
        return Quantity(new / old, unit="ratio").point
    sign = "+" if new >= old else ""
    if unit == "share":
        points = 100 * (new - old)
        return f"{sign}{text.number(points, text.decimals(points))} points"
    return sign + Quantity(new - old, unit=unit).point


def drawing(age: str, name: str, figure: Mapping[str, str]) -> Markup:
    """Return a figure's `<svg>`, its ids marked as those of the old or the new one."""
    return inline(f"{age}-{name}", figure["svg"].encode(), figure["alt"])


def _pair(pair: Pair) -> str:
    return f"{quantity(pair.old)} -> {quantity(pair.new)}"


def _judged(claim: Mapping[str, Any]) -> str:
    return f"{claim['verdict']} {estimate(claim) or ''}".rstrip()


def _run(run: Run) -> str:
    return f"{run.taken}, measured until {run.measured}, commit {run.commit}"


def _where(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} records or programs"


def _first(lines: Sequence[str]) -> Iterable[str]:
    """Return the lines to show, indented, and how many there are more."""
    more = len(lines) - SHOWN
    return [f"  {line}" for line in lines[:SHOWN]] + ([f"  and {more} more"] if more > 0 else [])
