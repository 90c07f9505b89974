"""Rules about how far one judged model of Lab 3 is ahead of another, on the same reviews."""

from functools import cached_property

from labs.analysis.points import Case, Points
from labs.claims.claim import Judge
from labs.claims.rules import Rules
from labs.experiments.precision.judged import Judged


class Models(Rules):
    """Makes rules about a record's models as well as about its values."""

    def ahead(self, split: str, *pair: Case) -> Judge:
        """Judge that the first model of a pair is ahead of the second."""
        return lambda s: s.ahead(self.points[split].gain(*pair))

    def as_accurate(self, split: str, *pair: Case) -> Judge:
        """Judge that the second model of a pair is as accurate as the first."""
        return lambda s: s.keeps(self.points[split].gain(*pair))

    @cached_property
    def judged(self) -> Judged:
        """The models of the record."""
        return Judged(self._record)

    @property
    def points(self) -> dict[str, Points]:
        """Their answers, by reviews."""
        return self.judged.points
