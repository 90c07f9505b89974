"""Rules about how far one point of a curve is ahead of another, on the same reviews."""

from __future__ import annotations

from functools import cached_property
from typing import Self, Unpack

from labs.analysis.points import Case, Points
from labs.claims.claim import MATTERS, Claim, Rule, Statement
from labs.claims.rules import Published, Rules

POINT, TEN_POINTS = MATTERS, 10 * MATTERS
"""Percentage points of accuracy."""

Pair = tuple[Case, Case]


class Paired(Rules):
    """Makes rules about the validation accuracy of a record's points as well as about its values.

    A verdict asks that all replicates agree; a point that the preset does not run gives none.
    """

    def ahead(
        self, short: str, words: str, pair: Pair, by: float = 0, **published: Unpack[Published]
    ) -> Rule:
        """Assert that the first point of a pair is ahead of the second by more than this."""
        return self.needing(*pair).rule(
            short, words, lambda s: self.judge_ahead(s, pair, by), **published
        )

    def not_ahead(
        self, short: str, words: str, pair: Pair, by: float, **published: Unpack[Published]
    ) -> Rule:
        """Assert that the first point of a pair is ahead of the second by less than this."""
        return self.needing(*pair).rule(
            short, words, lambda s: self.judge_not_ahead(s, pair, by), **published
        )

    def needing(self, *points: Case) -> Self:
        """Return rules that are judged only where the preset runs all of these points."""
        run = not self.measured or all(self.points.has(point) for point in points)
        return self.where_run(run, "all of its points")

    def judge_ahead(self, statement: Statement, pair: Pair, by: float) -> Claim:
        """Return the claim that the first point is ahead of the second by more than this."""
        return statement.above(self.points.gain(*pair), by, self.points.gains(*pair))

    def judge_not_ahead(self, statement: Statement, pair: Pair, by: float) -> Claim:
        """Return the claim that the first point is ahead of the second by less than this."""
        return statement.below(self.points.gain(*pair), by, self.points.gains(*pair))

    @cached_property
    def points(self) -> Points:
        """The answers on the validation reviews, by point."""
        return Points(self._record, split="validation")
