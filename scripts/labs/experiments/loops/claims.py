"""Claims about this project's training loop against transformers' Trainer."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "loops"

QUESTION = "lab0-data"
HALF_AGAIN = 1.5
AS_ACCURATE = 0.03


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "loops", QUESTION)
    return [
        claim.rule(
            "half-again",
            "This project's loop, with batches of similar lengths, trains more than "
            f"{HALF_AGAIN:g} times as many reviews per second as Trainer with random batches.",
            claim.exceeds("speedup", HALF_AGAIN),
        ),
        claim.rule(
            "loop-itself",
            "This project's loop is faster than Trainer that is told to group by length.",
            claim.faster("itself.speedup"),
        ),
        claim.rule(
            "as-accurate",
            "Within three points, both loops train models of the same accuracy.",
            claim.within("gain", AS_ACCURATE),
        ),
    ]
