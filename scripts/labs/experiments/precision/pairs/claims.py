"""Claims about fixed-point widths chosen layer by layer: question 3.1."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.records.names.intervals import TEN_POINTS
from labs.records.record import Record

EXPERIMENT = "precision"

FAR = 5
"""How many times as sensitive as the median layer another is, if layers are to differ."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "precision", "lab3-1")
    return [
        claim.rule(
            "two-fractions-lose",
            "With two fractional bits in all layers, a model of any of the lab's widths is more "
            "than ten points behind float32.",
            claim.exceeds("fraction.2.behind", TEN_POINTS),
            like=("D-lab3-integer-range",),
        ),
        claim.rule(
            "width-does-not-matter",
            "With four fractional bits in all layers, 8 bits are as accurate as 32.",
            claim.non_inferior("eight_bits.behind_32"),
        ),
        claim.rule(
            "no-integers-lose",
            "With eight fractional bits in all layers, 8 bits are less accurate than 16.",
            claim.superior("eight_bits.behind_16"),
        ),
        claim.rule(
            "pairs-keep",
            "The model that the search chose is as accurate as the base model.",
            claim.non_inferior("pairs.test.behind"),
        ),
        claim.rule(
            "pairs-quantized-keep",
            "The model that the search chose without float32 is as accurate as the base model.",
            claim.non_inferior("pairs-quantized.test.behind"),
        ),
        claim.rule(
            "one-width-worse",
            "In its trials, the search for a pair for each layer finds a model ahead of the best "
            "single pair.",
            claim.superior("pairs-quantized.over_best_pair"),
        ),
        claim.rule(
            "layers-differ",
            "Rounded alone to the fewest bits, the base model's most sensitive layer adds more "
            f"than {FAR} times as much to the loss as the median layer.",
            lambda s: s.exceeds(
                claim.value("scores.most"), FAR * max(claim.number("scores.median"), 0)
            ),
            like=("L-lab3-one-width",),
        ),
        claim.rule(
            "training-helps",
            "The model that was searched with training is ahead of the one without.",
            claim.superior("pairs-trained.over_untrained"),
        ),
    ]
