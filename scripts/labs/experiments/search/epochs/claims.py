"""Claims about the search's winner, trained for more epochs: question 2.1b."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "search"
QUESTION = "lab2-1b"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "search.epochs", QUESTION)
    claim = claim.at("search", "reviews", "max_length")
    return [
        claim.rule(
            "overfits",
            "Trained for more epochs, the winner's models end with a higher validation loss than "
            "their lowest.",
            claim.exceeds("rise", 0),
            like=("C-more-epochs",),
        ),
        claim.rule(
            "accuracy-falls",
            "With more epochs, the winner's accuracy falls below what it has been.",
            claim.superior("fall"),
            like=("C-more-epochs",),
        ),
        claim.rule(
            "accuracy-gains",
            "After the first epoch, the winner becomes more accurate still.",
            claim.superior("gain"),
        ),
    ]
