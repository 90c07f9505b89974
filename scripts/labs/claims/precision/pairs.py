"""Claims about fixed-point widths chosen layer by layer: question 3.1."""

from __future__ import annotations

from labs.analysis.precision.judged import BASELINE, Case, trials, uniform, winner
from labs.analysis.precision.searched import rises, values
from labs.analysis.precision.uniform import BEST_PAIR, pair
from labs.claims.claim import Claim, Rule, Statement
from labs.claims.paired import POINT, TEN_POINTS
from labs.claims.precision.models import Models
from labs.records.names.precision import (
    PAIRS,
    PAIRS_QUANTIZED,
    PAIRS_TRAINED,
    TEST,
    TRIALS,
    WIDTHS,
)
from labs.records.record import Record

QUESTION = "lab3-1"


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about pairs of widths, and how each is judged."""
    claim = Models(record, "precision", QUESTION, values)

    def best_with(fraction: int) -> Case:
        """Return the best model that has so many fractional bits everywhere."""
        cases = [uniform(pair(width, fraction)) for width in WIDTHS]
        return max(cases, key=lambda case: claim.judged.accuracy(TRIALS, case).estimate.value)

    def two_lose(statement: Statement) -> Claim:
        of = TRIALS, BASELINE, best_with(2)
        return statement.above(claim.judged.gain(*of), TEN_POINTS, claim.judged.gains(*of))

    def after(last: int) -> list[float]:
        return rises(trials(claim.judged, PAIRS), last)

    return [
        claim.rule(
            "two-fractions-lose",
            "With two fractional bits in all layers, a model of any of the lab's widths is more "
            "than ten points behind float32.",
            two_lose,
            like=("D-lab3-integer-range",),
        ),
        claim.not_ahead(
            "width-does-not-matter",
            "With four fractional bits in all layers, 32 bits are less than a point ahead of 8.",
            TRIALS,
            (uniform(pair(32, 4)), uniform(pair(8, 4))),
            POINT,
        ),
        claim.ahead(
            "no-integers-lose",
            "With eight fractional bits in all layers, 16 bits are more than a point ahead of 8.",
            TRIALS,
            (uniform(pair(16, 8)), uniform(pair(8, 8))),
            POINT,
        ),
        claim.not_ahead(
            "pairs-keep",
            "The base model is less than a point ahead of the one that the search chose.",
            TEST,
            (BASELINE, winner(PAIRS)),
            POINT,
        ),
        claim.not_ahead(
            "pairs-quantized-keep",
            "The base model is less than a point ahead of the one that the search chose without "
            "float32.",
            TEST,
            (BASELINE, winner(PAIRS_QUANTIZED)),
            POINT,
        ),
        claim.ahead(
            "one-width-worse",
            "Widths that are chosen for each layer are ahead of the best single pair.",
            TEST,
            (winner(PAIRS_QUANTIZED), BEST_PAIR),
            like=("L-lab3-one-width",),
        ),
        claim.ahead(
            "training-helps",
            "The model that was searched with training is ahead of the one without.",
            TEST,
            (winner(PAIRS_TRAINED), winner(PAIRS)),
        ),
        claim.rule(
            "rises-after-two",
            "The best accuracy so far still rises after the second trial.",
            lambda s: s.above(claim.value(f"{PAIRS}.rise_after.two"), 0, after(2)),
            like=("C-lab3-second-trial",),
        ),
        claim.rule(
            "rises-after-ten",
            "The best accuracy so far still rises after the tenth trial.",
            lambda s: s.above(claim.value(f"{PAIRS}.rise_after.ten"), 0, after(10)),
            against=("C-lab3-ten-trials",),
        ),
    ]
