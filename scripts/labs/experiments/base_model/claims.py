"""Claims about the base model: that it learnt something, and that it needs its mask."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "base_model"

QUESTION, INPUTS = "lab0-data", "lab0-2"
ENOUGH = 0.8


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "base_model", QUESTION)
    return [
        claim.rule(
            "learnt",
            "The base model is right about at least four in five test reviews that it never saw.",
            claim.exceeds("test.accuracy", ENOUGH),
        ),
        claim.for_question(INPUTS)
        .only_with("padded.gain", "a padded review")
        .rule(
            "mask-helps",
            "On reviews that are padded, the base model is more accurate with an attention mask "
            "than without.",
            claim.superior("padded.gain"),
            like=("C-graph-mask-worse",),
        ),
    ]
