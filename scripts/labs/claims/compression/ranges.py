"""Claims about the ranges of weights, biases and inputs: question 1.1b."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.compression.ranges import values
from labs.analysis.frame import Value
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import Record

QUESTION = "lab1-1b"


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about ranges, and how each is judged."""

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def most_bits(*kinds: str) -> Value:
        each = [found()[f"ranges.{kind}.bits"] for kind in kinds]
        return max(each, key=lambda value: value.estimate.value)

    def rule(
        short: str, words: str, judge: Callable[[Statement], Claim], like: tuple[str, ...] = ()
    ) -> Rule:
        return Rule(Statement(f"ranges.{short}", QUESTION, record["device"], words, like), judge)

    return [
        rule(
            "weights-within-one",
            "All weights and biases of the linear layers lie between -1 and 1.",
            lambda s: s.holds(
                most_bits("weight", "bias"), most_bits("weight", "bias").estimate.value <= 1
            ),
            like=("D-parameter-range",),
        ),
        rule(
            "inputs-need-more",
            "The layers' inputs need more integer bits than their weights and biases.",
            lambda s: s.above(most_bits("input"), most_bits("weight", "bias").estimate.value),
        ),
    ]
