"""Rules about how far one judged model of Lab 3 is ahead of another, on the same reviews."""

from __future__ import annotations

from functools import cached_property
from typing import Unpack

from labs.analysis.precision.judged import Case, Judged
from labs.claims.claim import Rule
from labs.claims.rules import Published, Rules


class Models(Rules):
    """Makes rules about a record's models as well as about its values.

    A verdict asks that all replicates agree.
    """

    def ahead(
        self,
        short: str,
        words: str,
        split: str,
        pair: tuple[Case, Case],
        by: float = 0,
        **published: Unpack[Published],
    ) -> Rule:
        """Assert that the first model of a pair is ahead of the second by more than this."""
        return self.rule(
            short,
            words,
            lambda s: s.above(self.judged.gain(split, *pair), by, self.judged.gains(split, *pair)),
            **published,
        )

    def not_ahead(
        self,
        short: str,
        words: str,
        split: str,
        pair: tuple[Case, Case],
        by: float,
        **published: Unpack[Published],
    ) -> Rule:
        """Assert that the first model of a pair is ahead of the second by less than this."""
        return self.rule(
            short,
            words,
            lambda s: s.below(self.judged.gain(split, *pair), by, self.judged.gains(split, *pair)),
            **published,
        )

    @cached_property
    def judged(self) -> Judged:
        """The models of the record."""
        return Judged(self._record)
