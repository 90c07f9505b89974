"""Claims about the ranges of weights, biases and inputs, and their bytes: 1.1b and 1.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.quantity import counted
from labs.records.record import Record

EXPERIMENT = "ranges"

QUESTION, WIDTHS = "lab1-1b", "lab1-1"
TENTH = 0.1


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "ranges", QUESTION)

    def parameter_bits() -> float:
        return max(claim.number("weight.bits"), claim.number("bias.bits"))

    return [
        claim.rule(
            "weights-within-one",
            "All weights and biases of the linear layers lie between -1 and 1.",
            lambda s: s.at_most(counted(parameter_bits(), "count"), 1),
            like=("D-parameter-range",),
        ),
        claim.rule(
            "inputs-need-more",
            "The layers' inputs need more integer bits than their weights and biases.",
            lambda s: s.exceeds(claim.value("input.bits"), parameter_bits()),
        ),
        claim.for_question(WIDTHS).rule(
            "memory-saved",
            "With 8 bits in every linear layer, the whole model takes at least a tenth less memory "
            "than in float32.",
            claim.exceeds("model.saved", TENTH),
        ),
    ]
