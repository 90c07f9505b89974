"""Claims about the ranges of weights, biases and inputs: question 1.1b."""

from __future__ import annotations

from labs.analysis.compression.ranges import values
from labs.analysis.frame import exactly
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.records.record import Record

QUESTION = "lab1-1b"


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about ranges, and how each is judged."""
    claim = Rules(record, "ranges", QUESTION, values)

    def parameter_bits() -> float:
        return max(claim.number("weight.bits"), claim.number("bias.bits"))

    return [
        claim.rule(
            "weights-within-one",
            "All weights and biases of the linear layers lie between -1 and 1.",
            lambda s: s.below(exactly(parameter_bits(), "count"), 1),
            like=("D-parameter-range",),
        ),
        claim.rule(
            "inputs-need-more",
            "The layers' inputs need more integer bits than their weights and biases.",
            lambda s: s.above(claim.value("input.bits"), parameter_bits()),
        ),
    ]
