"""Claims about accuracy against bits: question 3.2c."""

from labs.analysis.values import Values, slug
from labs.claims.family import Family
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.precision.names import DIRECT, GRADIENT, SAME
from labs.records.names.studies import NSGA2, TPE
from labs.records.record import Record

EXPERIMENT = "precision"

WORDS = {
    DIRECT: "sharing as many bits out by each layer's measured loss",
    GRADIENT: "sharing as many bits out by gradients",
    SAME: "the widest single width of as many bits",
}
SAMPLERS = {NSGA2: "NSGA-II", TPE: "TPE"}


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, "precision", "lab3-2c").at("precision", "trials", reviews=0)
    ways = Family(lambda: {way: claim.value(f"search_over.{way}") for way in WORDS})

    def ahead_of(way: str) -> Rule:
        return claim.rule(
            f"search-over.{slug(way)}",
            f"The searches with a penalty are ahead of {WORDS[way]}.",
            lambda s: ways.superior(s, way),
        )

    def ahead_of_random(sampler: str) -> Rule:
        return claim.rule(
            f"volume.{sampler}.over-random",
            f"In the searches that were run, the front of {SAMPLERS[sampler]} dominates more than "
            "that of random search.",
            claim.exceeds(f"volume_over_random.{sampler}", 0),
            like=("B-lab3-tpe-optimal",) if sampler == TPE else (),
        )

    return [
        claim.rule(
            "penalty-saves-bits",
            "The search with the largest penalty chooses fewer bits than that with the smallest.",
            claim.counts_any("penalized.bits_saved"),
            like=("C-lab3-cost-works",),
        ),
        claim.rule(
            "penalty-keeps-accuracy",
            "The model of the largest penalty is as accurate as that of the smallest.",
            claim.non_inferior("penalized.accuracy_lost"),
            like=("C-lab3-cost-works",),
        ),
        claim.rule(
            "converges-early",
            "No search with a penalty finds a better model in the second half of its trials.",
            claim.counts_none("penalized.late_rise"),
            like=("C-lab3-cost-converges",),
        ),
        *map(ahead_of, WORDS),
        *map(ahead_of_random, SAMPLERS),
        claim.rule(
            "embeddings-too",
            "With its embeddings in MXINT8 as well as its layers, the base model is as accurate as "
            "in float32.",
            claim.non_inferior("bytes.everything.behind"),
        ),
    ]
