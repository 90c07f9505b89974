"""Claims about the training loop of the labs against transformers' Trainer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.loops import values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab0-data"
HALF_AGAIN = 1.5
AS_ACCURATE = 0.03


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the training loops, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"loops.{name}"]

    def rule(short: str, words: str, judge: Callable[[Statement], Claim]) -> Rule:
        return Rule(Statement(f"loops.{short}", QUESTION, record["device"], words), judge)

    return [
        rule(
            "half-again",
            "Batches of similar lengths in the labs' own loop train at least half as many reviews "
            "again a second as Trainer with random batches.",
            lambda s: s.above(value("speedup"), HALF_AGAIN),
        ),
        rule(
            "loop-itself",
            "The labs' own loop is faster than Trainer that is told to group by length.",
            lambda s: s.faster(value("itself.speedup"), value("noise_floor").estimate.value),
        ),
        rule(
            "as-accurate",
            "Within three points, both loops train models of the same accuracy.",
            lambda s: s.within(value("gain"), AS_ACCURATE),
        ),
    ]
