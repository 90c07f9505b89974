"""Claims about the reviews and how they are split."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "reviews"

QUESTION = "lab0-data"
UNEVEN = 0.05


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "reviews", QUESTION)
    return [
        claim.rule(
            "no-overlap",
            "No review occurs in two splits, not even with other white space, case or punctuation.",
            claim.counts_none("in_two_splits"),
        ),
        claim.rule(
            "balanced",
            f"In every split the share of positive reviews is within {UNEVEN} of one half.",
            claim.at_most("imbalance", UNEVEN),
        ),
    ]
