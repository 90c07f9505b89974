"""The claim about the base model: that it learnt something worth compressing."""

from __future__ import annotations

from labs.analysis.base_model import values
from labs.claims.claim import Rule
from labs.claims.rules import Rules
from labs.records.record import Record

QUESTION = "lab0-data"
ENOUGH = 0.8


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the base model, and how it is judged."""
    claim = Rules(record, "base_model", QUESTION, values)
    return [
        claim.above(
            "learnt",
            "The base model is right about at least four in five test reviews that it never saw.",
            "test.accuracy",
            ENOUGH,
        )
    ]
