"""Claims about how far one point of a curve is ahead of another, on the same reviews."""

from __future__ import annotations

from functools import cache

from labs.analysis.frame import Value
from labs.analysis.points import Case, Points
from labs.claims.claim import Rule, Statement
from labs.records.record import MEASURED, Record

MARGIN = 0.01
"""A loss of up to one percentage point counts as none."""


class Paired:
    """Makes rules about the validation accuracy of a record's points.

    A verdict asks that all replicates agree; a point that the preset does not run gives none.
    """

    def __init__(self, record: Record) -> None:
        self._measured = record["status"] == MEASURED
        self._points = cache(lambda: Points(record, split="validation"))

    def above(self, statement: Statement, first: Case, second: Case, limit: float = 0.0) -> Rule:
        """Assert that the first point is ahead of the second by more than a limit."""
        return Rule(
            statement,
            lambda s: s.above_in_all(*self.ahead(first, second), limit),
            self.missing(first, second),
        )

    def below(self, statement: Statement, first: Case, second: Case, limit: float) -> Rule:
        """Assert that the first point is ahead of the second by less than a limit."""
        return Rule(
            statement,
            lambda s: s.below_in_all(*self.ahead(first, second), limit),
            self.missing(first, second),
        )

    def ahead(self, first: Case, second: Case) -> tuple[Value, list[float]]:
        """Return how far the first point is ahead: the mean over replicates, and each of them."""
        return self._points().gain(first, second), self._points().gains(first, second)

    def missing(self, *points: Case) -> str:
        """Return why a claim cannot be judged; nothing if all its points were run."""
        if not self._measured or all(self._points().has(point) for point in points):
            return ""
        return "this preset does not run all of its points"
