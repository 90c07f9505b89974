"""Claims about the reviews and how they are split."""

from __future__ import annotations

from functools import cache

from labs.analysis.frame import Value
from labs.analysis.reviews import values
from labs.claims.claim import Rule, Statement
from labs.records.record import Record

QUESTION = "lab0-data"
UNEVEN = 0.05


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the reviews, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def statement(short: str, words: str) -> Statement:
        return Statement(f"reviews.{short}", QUESTION, record["device"], words)

    return [
        Rule(
            statement("no-overlap", "No review's words stand in two splits."),
            lambda s: s.holds(
                found()["reviews.in_two_splits"],
                found()["reviews.in_two_splits"].estimate.value == 0,
            ),
        ),
        Rule(
            statement(
                "balanced",
                f"In every split the share of positive reviews is within {UNEVEN} of one half.",
            ),
            lambda s: s.below(found()["reviews.imbalance"], UNEVEN),
        ),
    ]
