"""Rules about how far one judged model of Lab 3 is ahead of another, on the same reviews."""

from __future__ import annotations

from functools import cached_property
from typing import Unpack

from labs.analysis.precision.judged import Case, Judged
from labs.claims.claim import Rule
from labs.claims.rules import Published, Rules

Pair = tuple[Case, Case]


class Models(Rules):
    """Makes rules about a record's models as well as about its values."""

    def ahead(
        self, short: str, words: str, split: str, pair: Pair, **published: Unpack[Published]
    ) -> Rule:
        """Assert that the first model of a pair is ahead of the second."""
        return self.rule(
            short, words, lambda s: s.ahead(self.judged.gain(split, *pair)), **published
        )

    def as_accurate(
        self, short: str, words: str, split: str, pair: Pair, **published: Unpack[Published]
    ) -> Rule:
        """Assert that the second model of a pair is as accurate as the first."""
        return self.rule(
            short, words, lambda s: s.keeps(self.judged.gain(split, *pair)), **published
        )

    @cached_property
    def judged(self) -> Judged:
        """The models of the record."""
        return Judged(self._record)
