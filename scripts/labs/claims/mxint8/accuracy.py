"""Claims about the accuracy of a model in MXINT8: a part of question 3d."""

from __future__ import annotations

from functools import cache

from labs.analysis.frame import Value
from labs.analysis.mxint8.accuracy import PREFIX, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab4-3d"
LITTLE = 0.01
"""Of all reviews: a change of accuracy below it is called small."""

WORDS = {"weights": "the weights alone", "both": "weights and activations"}


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about accuracy, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def value(name: str) -> Value:
        return found()[f"{PREFIX}.{name}"]

    def statement(short: str, words: str, like: tuple[str, ...] = ()) -> Statement:
        return Statement(f"{PREFIX}.{short}", QUESTION, record["device"], words, like)

    def of_arm(arm: str) -> list[Rule]:
        return [
            Rule(
                statement(
                    f"{arm}.accuracy-kept",
                    f"With {WORDS[arm]} in MXINT8, the base model's accuracy changes by less than "
                    "one review in a hundred.",
                ),
                lambda s: _within(s, value(f"{arm}.gain"), LITTLE),
            ),
            Rule(
                statement(
                    f"{arm}.predictions-kept",
                    f"With {WORDS[arm]} in MXINT8, the base model gives every review the label "
                    "that it gave it before.",
                    like=("L-memory-prediction",),
                ),
                lambda s: s.holds(
                    value(f"{arm}.changed"), value(f"{arm}.changed").estimate.value == 0
                ),
            ),
        ]

    return [one for arm in WORDS for one in of_arm(arm)]


def _within(statement: Statement, value: Value, limit: float) -> Claim:
    """Return the claim that a value is nearer to zero than a limit, by its whole interval."""
    estimate = value.estimate
    if -limit < estimate.low and estimate.high < limit:
        return statement.holds(value, True)
    if estimate.low >= limit or estimate.high <= -limit:
        return statement.holds(value, False)
    return statement.undecided(value)
