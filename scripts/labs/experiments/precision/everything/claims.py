"""Claims about one search among all formats: question 3.2b."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "precision"


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "precision", "lab3-2b").at("precision", "trials", reviews=0)
    return [
        claim.rule(
            "all.over-float32",
            "The best model of all formats is ahead of the base model.",
            claim.superior("all.ahead"),
        ),
        claim.rule(
            "all.over-best-format",
            "In its trials, the search among all formats finds a model ahead of the best one of a "
            "single format.",
            claim.superior("all.over_best_format"),
            like=("C-lab3-all-at-once",),
        ),
        claim.rule(
            "all-quantized.keeps",
            "The best model of all formats at all widths, without float32, is as accurate as the "
            "base model.",
            claim.non_inferior("all-quantized.test.behind"),
        ),
    ]
