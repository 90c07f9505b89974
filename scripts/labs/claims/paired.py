"""Rules about how far one point of a curve is ahead of another, on the same reviews."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Self, Unpack

from labs.analysis.points import Case, Points
from labs.claims.claim import Rule
from labs.claims.family import Family
from labs.claims.rules import Published, Rules
from labs.records.names.intervals import POINT

TEN_POINTS = 10 * POINT

Pair = tuple[Case, Case]


class Paired(Rules):
    """Makes rules about the validation accuracy of a record's points as well as about its values.

    A point that the preset does not run gives no verdict.
    """

    def ahead(self, short: str, words: str, pair: Pair, **published: Unpack[Published]) -> Rule:
        """Assert that the first point of a pair is ahead of the second."""
        return self.needing(*pair).rule(
            short, words, lambda s: s.ahead(self.points.gain(*pair)), **published
        )

    def far_ahead(self, short: str, words: str, pair: Pair, **published: Unpack[Published]) -> Rule:
        """Assert that the first point of a pair is ahead of the second by more than ten points."""
        return self.needing(*pair).rule(
            short, words, lambda s: s.above(self.points.gain(*pair), TEN_POINTS), **published
        )

    def as_accurate(
        self, short: str, words: str, pair: Pair, **published: Unpack[Published]
    ) -> Rule:
        """Assert that the second point of a pair is as accurate as the first."""
        return self.needing(*pair).rule(
            short, words, lambda s: s.keeps(self.points.gain(*pair)), **published
        )

    def family(self, pairs: Mapping[str, Pair]) -> Family:
        """Return the comparisons of pairs as a family, those that the preset runs."""
        return Family(
            lambda: {
                name: self.points.gain(*pair)
                for name, pair in pairs.items()
                if all(self.points.has(point) for point in pair)
            }
        )

    def needing(self, *points: Case) -> Self:
        """Return rules that are judged only where the preset runs all of these points."""
        run = not self.measured or all(self.points.has(point) for point in points)
        return self.where_run(run, "all of its points")

    @cached_property
    def points(self) -> Points:
        """The answers on the validation reviews, by point."""
        return Points(self._record, split="validation")
