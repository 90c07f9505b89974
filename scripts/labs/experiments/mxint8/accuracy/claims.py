"""Claims about the accuracy of a model in MXINT8: a part of question 3d."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "mxint8_accuracy"

WORDS = {"weights": "the weights alone", "both": "weights and activations"}


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, EXPERIMENT, "lab4-3d")
    return [rule for arm, words in WORDS.items() for rule in _of_arm(claim.with_prefix(arm), words)]


def _of_arm(claim: Rules, what: str) -> list[Rule]:
    return [
        claim.rule(
            "accuracy-kept",
            f"With {what} in MXINT8, the base model is as accurate as in float32.",
            claim.equivalent("gain"),
        ),
        claim.rule(
            "predictions-kept",
            f"With {what} in MXINT8, the base model gives every review the label that it gave it "
            "before.",
            claim.counts_none("changed"),
        ),
    ]
