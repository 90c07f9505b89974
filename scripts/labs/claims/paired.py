"""Rules about how far one point of a curve is ahead of another, on the same reviews."""

from collections.abc import Callable, Mapping
from functools import cached_property

from labs.analysis.points import Case, Points
from labs.claims.claim import Claim
from labs.claims.family import Family
from labs.claims.rules import Rules
from labs.claims.statement import Judge, Statement
from labs.records.names.intervals import POINT
from labs.records.quantity import Quantity

TEN_POINTS = 10 * POINT
NOT_RUN = "this preset does not run all of its points"

Pair = tuple[Case, Case]


class Paired(Rules):
    """Makes rules about the validation accuracy of a record's points as well as about its values.

    A point that the preset does not run gives no verdict.
    """

    def pair_superior(self, *pair: Case) -> Judge:
        """Judge that the first point of a pair is ahead of the second."""
        return self._gain(pair, Statement.superior)

    def pair_far_superior(self, *pair: Case) -> Judge:
        """Judge that the first point of a pair is ahead of the second by more than ten points."""
        return self._gain(pair, lambda s, gain: s.exceeds(gain, TEN_POINTS))

    def pair_non_inferior(self, *pair: Case) -> Judge:
        """Judge that the second point of a pair is as accurate as the first."""
        return self._gain(pair, Statement.non_inferior)

    def family(self, pairs: Mapping[str, Pair]) -> Family:
        """Return the comparisons of pairs as a family, those that the preset runs."""
        return Family(
            lambda: {
                name: self.points.gain(*pair) for name, pair in pairs.items() if self.has(*pair)
            }
        )

    def needing(self, judge: Judge, *points: Case) -> Judge:
        """Judge only where the preset runs all of these points."""
        return lambda s: judge(s) if self.has(*points) else s.not_measured(NOT_RUN)

    def has(self, *points: Case) -> bool:
        """Return whether the preset runs all of these points."""
        return all(self.points.has(point) for point in points)

    def _gain(self, pair: tuple[Case, ...], judge: Callable[[Statement, Quantity], Claim]) -> Judge:
        return self.needing(lambda s: judge(s, self.points.gain(*pair)), *pair)

    @cached_property
    def points(self) -> Points:
        """The answers on the validation reviews, by point."""
        return Points(self._record, split="validation")
