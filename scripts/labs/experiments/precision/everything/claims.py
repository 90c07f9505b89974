"""Claims about one search among all formats: question 3.2b."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.record import Record

EXPERIMENT = "precision"

UNLIKELY = 0.05
"""Counts that random models have less often than this are called other than chance."""


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
            "The best model of all formats is ahead of the best one of a single format.",
            claim.superior("all.over_best_format"),
            like=("C-lab3-all-at-once",),
        ),
        claim.rule(
            "all-quantized.keeps",
            "The best model of all formats at all widths, without float32, is as accurate as the "
            "base model.",
            claim.non_inferior("all-quantized.test.behind"),
        ),
        claim.rule(
            "all.counts-chosen",
            "The counts of types in the best model are more uneven than chance would make them.",
            claim.at_most("all.chance", UNLIKELY),
            like=("C-lab3-mix-optimal",),
        ),
        claim.rule(
            "all-quantized.counts-chosen",
            "The counts of types in the best model without float32 are more uneven than chance "
            "would make them.",
            claim.at_most("all-quantized.chance", UNLIKELY),
            like=("C-lab3-mix-optimal",),
        ),
        claim.rule(
            "all.fewer-bits",
            "The best model of all formats has fewer bits than its trials have on average.",
            claim.at_most("all.bits", "all.mean_bits"),
            like=("D-lab3-compression-preferred",),
        ),
    ]
