"""Claims about accuracy against bits: question 3.2c."""

from labs.analysis.values import Values, slug
from labs.claims.family import Family
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.precision.names import DIRECT, GRADIENT, SAME
from labs.records.record import Record

EXPERIMENT = "precision"

WORDS = {
    DIRECT: "sharing as many bits out by each layer's measured loss",
    GRADIENT: "sharing as many bits out by gradients",
    SAME: "the widest single width of as many bits",
}


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "precision", "lab3-2c").at("precision", "trials", reviews=0)
    ways = Family(lambda: {way: claim.value(f"search_over.{way}") for way in WORDS})

    def ahead_of(way: str) -> Rule:
        return claim.rule(
            f"search-over.{slug(way)}",
            f"In their trials, the searches with a penalty find models ahead of {WORDS[way]}.",
            lambda s: ways.superior(s, way),
        )

    return [
        claim.rule(
            "penalty-keeps-accuracy",
            "The model of the largest penalty is as accurate as that of the smallest.",
            claim.non_inferior("penalized.accuracy_lost"),
            like=("C-lab3-cost-works",),
        ),
        *map(ahead_of, WORDS),
        claim.rule(
            "embeddings-too",
            "With its embeddings in MXINT8 as well as its layers, the base model is as accurate as "
            "in float32.",
            claim.non_inferior("bytes.everything.behind"),
        ),
    ]
