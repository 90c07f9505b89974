"""Claims about fixed-point widths chosen layer by layer: question 3.1."""

from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.paired import Paired
from labs.claims.statement import Rule, Statement
from labs.experiments.precision.judged import BASELINE, winner
from labs.experiments.precision.judging import Tested
from labs.experiments.precision.names import PAIRS, PAIRS_QUANTIZED, PAIRS_TRAINED, WIDTHS
from labs.experiments.precision.uniform.values import BEST_PAIR, pair
from labs.records.record import Record

EXPERIMENT = "precision"

QUESTION = "lab3-1"
FAR = 5
"""How many times as sensitive as the median layer another is, if layers are to differ."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Paired(record, values, "precision", QUESTION)
    tested = Tested(record, values, "precision", QUESTION)
    searched = claim.at("precision", "trials", reviews=0)

    def two_lose(statement: Statement) -> Claim:
        """Return the claim about the best model that has two fractional bits everywhere."""
        models = [pair(width, 2) for width in WIDTHS]
        best = max(models, key=lambda model: claim.points.accuracy(model).value)
        return claim.pair_far_superior(BASELINE, best)(statement)

    return [
        claim.rule(
            "two-fractions-lose",
            "With two fractional bits in all layers, a model of any of the lab's widths is more "
            "than ten points behind float32.",
            two_lose,
            like=("D-lab3-integer-range",),
        ),
        claim.rule(
            "width-does-not-matter",
            "With four fractional bits in all layers, 8 bits are as accurate as 32.",
            claim.pair_non_inferior(pair(32, 4), pair(8, 4)),
        ),
        claim.rule(
            "no-integers-lose",
            "With eight fractional bits in all layers, 8 bits are less accurate than 16.",
            claim.pair_superior(pair(16, 8), pair(8, 8)),
        ),
        claim.rule(
            "pairs-keep",
            "The model that the search chose is as accurate as the base model.",
            tested.pair_non_inferior(BASELINE, winner(PAIRS)),
        ),
        claim.rule(
            "pairs-quantized-keep",
            "The model that the search chose without float32 is as accurate as the base model.",
            tested.pair_non_inferior(BASELINE, winner(PAIRS_QUANTIZED)),
        ),
        claim.rule(
            "one-width-worse",
            "The search for a pair for each layer finds a model that is ahead of the best single "
            "pair.",
            tested.pair_superior(winner(PAIRS_QUANTIZED), BEST_PAIR),
        ),
        claim.rule(
            "layers-differ",
            "Rounded alone to the fewest bits, the most sensitive layer adds more than "
            f"{FAR} times as much to the loss as the median layer.",
            claim.holds(
                "scores.most", lambda most: most > FAR * max(claim.number("scores.median"), 0)
            ),
            like=("L-lab3-one-width",),
        ),
        claim.rule(
            "training-helps",
            "The model that was searched with training is ahead of the one without.",
            tested.pair_superior(winner(PAIRS_TRAINED), winner(PAIRS)),
        ),
        searched.rule(
            "rises-after-two",
            "The best accuracy so far still rises after the second trial.",
            searched.counts_any(f"{PAIRS}.rise_after.two"),
            like=("C-lab3-second-trial",),
        ),
        searched.rule(
            "rises-after-ten",
            "The best accuracy so far still rises after the tenth trial.",
            searched.counts_any(f"{PAIRS}.rise_after.ten"),
            against=("C-lab3-ten-trials",),
        ),
    ]
