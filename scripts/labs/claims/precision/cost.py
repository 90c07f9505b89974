"""Claims about accuracy against bits: question 3.2c."""

from __future__ import annotations

from labs.analysis.frame import Value, slug
from labs.analysis.precision import cost, searched, uniform
from labs.analysis.precision.judged import winner
from labs.claims.claim import Claim, Rule, Statement
from labs.claims.paired import POINT
from labs.claims.precision.models import Models
from labs.records.names.precision import TEST
from labs.records.names.studies import NSGA2, TPE
from labs.records.record import Record

QUESTION = "lab3-2c"
WORDS = {
    cost.DIRECT: "sharing as many bits out by each layer's measured loss",
    cost.GRADIENT: "sharing as many bits out by gradients",
    cost.SAME: "the widest single width of as many bits",
}
SAMPLERS = {NSGA2: "NSGA-II", TPE: "TPE"}


def values(record: Record) -> dict[str, Value]:
    """Return the values of question 3.2c, and those of searches and of models of one format."""
    return cost.values(record) | searched.values(record) | uniform.values(record)


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about accuracy and bits, and how each is judged."""
    claim = Models(record, "precision", QUESTION, values)

    def over(way: str) -> list[float]:
        """Return how far each penalized search is ahead of a way, by replicate."""
        return [
            gain for pair in cost.pairs(record, way) for gain in claim.judged.gains(TEST, *pair)
        ]

    def over_random(sampler: str) -> list[float]:
        (study,) = [one for one in cost.of_two(record) if one.name == sampler]
        return cost.gains_over_random(claim.judged, study)

    def ahead_of(way: str) -> Rule:
        name = f"search_over.{slug(way)}"
        return claim.rule(
            f"search-over.{slug(way)}",
            f"The searches with a penalty are ahead of {WORDS[way]}.",
            lambda s: s.above(claim.value(name), 0, over(way)),
        )

    def ahead_of_random(sampler: str) -> Rule:
        name = f"volume.{sampler}.over_random"
        return claim.rule(
            f"volume.{sampler}.over-random",
            f"In the searches that were run, the front of {SAMPLERS[sampler]} dominates more than "
            "that of random search.",
            lambda s: s.above(claim.value(name), 0, over_random(sampler)),
            like=("B-lab3-tpe-optimal",) if sampler == TPE else (),
        )

    def accuracy_stays(statement: Statement) -> Claim:
        ends = [winner(cost.penalized(record)[place].name) for place in (0, -1)]
        gains = claim.judged.gains(TEST, *ends)
        return statement.below(claim.value("penalized.accuracy_lost"), POINT, gains)

    return [
        claim.some(
            "penalty-saves-bits",
            "The search with the largest penalty chooses fewer bits than that with the smallest.",
            "penalized.bits_saved",
            like=("C-lab3-cost-works",),
        ),
        claim.rule(
            "penalty-keeps-accuracy",
            "The model of the largest penalty is less than a point behind that of the smallest.",
            accuracy_stays,
            like=("C-lab3-cost-works",),
        ),
        claim.none(
            "converges-early",
            "No search with a penalty finds a better model in the second half of its trials.",
            "penalized.late_rise",
            like=("C-lab3-cost-converges",),
        ),
        *map(ahead_of, WORDS),
        *map(ahead_of_random, SAMPLERS),
        claim.rule(
            "embeddings-too",
            "The base model is less than a point ahead of the one whose embeddings are in MXINT8 "
            "as well as its layers.",
            lambda s: s.below(claim.value("bytes.everything.behind"), POINT),
        ),
    ]
