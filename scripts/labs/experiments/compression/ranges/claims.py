"""Claims about the ranges of weights, biases and inputs, and their bytes: 1.1b and 1.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "ranges"

QUESTION, WIDTHS = "lab1-1b", "lab1-1"
TENTH = 0.1


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "ranges", QUESTION)
    return [
        claim.rule(
            "weights-within-one",
            "All weights and biases of the base model's linear layers lie between -1 and 1.",
            claim.at_most("parameters.bits", 1),
            like=("D-parameter-range",),
        ),
        claim.rule(
            "inputs-need-more",
            "In the base model the layers' inputs need more integer bits than their weights and "
            "biases.",
            claim.exceeds("input.bits", "parameters.bits"),
        ),
        claim.for_question(WIDTHS).rule(
            "memory-saved",
            "With 8 bits in every linear layer, the whole model takes at least a tenth less memory "
            "than in float32.",
            claim.exceeds("model.saved", TENTH),
        ),
    ]
