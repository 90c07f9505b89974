"""Claims about the base model: that it learnt something, and that it needs its mask."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.base_model.names import ENOUGH
from labs.records.record import Record

EXPERIMENT = "base_model"

QUESTION, INPUTS = "lab0-data", "lab0-2"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "base_model", QUESTION)
    return [
        claim.rule(
            "learnt",
            f"The base model is right about more than {ENOUGH:.0%} of the test reviews, which it "
            "never saw.",
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
