"""Claims about pruned models: question 1.2."""

from itertools import product, starmap

from labs.analysis.values import Values
from labs.claims.claim import CONFIRMED, Claim
from labs.claims.family import Family
from labs.claims.statement import Rule, Statement
from labs.experiments.compression.pruning.values import part, state
from labs.experiments.compression.rules import OfPoints
from labs.records.names.intervals import TEN_POINTS
from labs.records.record import Record

EXPERIMENT = "pruning"

QUESTION = "lab1-2"
EXACT = 0.001
"""How far an achieved sparsity may be from the one that was asked for."""

CHANCE = 0.5

SPARSITIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Those of the lab."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = OfPoints(record, values, "pruning", QUESTION)
    trained = claim.at("compression", "reviews", epochs=1)
    settings = list(product(SPARSITIES, (0, 1)))
    run = [name for name in starmap(part, settings) if ("pruning.l1", name, "ahead") in values]
    leads = Family(lambda: {name: claim.value(f"l1.{name}.ahead") for name in run})
    costs = Family(lambda: {name: claim.value(f"random.{name}.loss") for name in run})

    def l1_beats_random(sparsity: float, epochs: int) -> Rule:
        words = "Trained afterwards" if epochs else "Without further training"
        name, rules = part(sparsity, epochs), trained if epochs else claim
        return rules.at("compression.sparsities", **{state(epochs): sparsity}).rule(
            f"{name}.l1-beats-random",
            f"{words}, at sparsity {sparsity}, L1 keeps more accuracy than random pruning.",
            claim.if_run(f"l1.{name}.ahead", lambda s: leads.superior(s, name)),
            like=("D-l1-above-random",),
        )

    def ahead_where_it_costs(statement: Statement) -> Claim:
        """Return the claim about all sparsities at which random pruning surely costs accuracy."""
        at_once = [part(sparsity, 0) for sparsity in SPARSITIES if part(sparsity, 0) in run]
        costly = [name for name in at_once if costs.superior(statement, name).verdict == CONFIRMED]
        if not costly:
            return statement.not_measured("random pruning is not shown to cost accuracy anywhere")
        return statement.all_hold([leads.superior(statement, name) for name in costly])

    return [
        *(l1_beats_random(*setting) for setting in settings),
        claim.rule(
            "l1-ahead-where-it-costs",
            "At every sparsity at which random pruning costs accuracy, L1 keeps more of it.",
            ahead_where_it_costs,
            like=("B-l1-above-random", "C-l1-above-random"),
        ),
        claim.rule(
            "half-for-free",
            "Without half of the weights, the smallest of each layer, the model is as accurate.",
            claim.non_inferior("l1.untrained.s50.loss"),
        ),
        claim.rule(
            "nine-tenths-cost",
            "Nine tenths of the weights, the smallest of each layer, cost accuracy.",
            claim.superior("l1.untrained.s90.loss"),
            like=("D-l1-decline",),
        ),
        claim.rule(
            "random-half-costs",
            "Half of the weights, drawn at random, cost more than ten points.",
            claim.exceeds("random.untrained.s50.loss", TEN_POINTS),
        ),
        claim.rule(
            "random-collapses",
            "Seven tenths of the weights, drawn at random, cost more than ten points.",
            claim.exceeds("random.untrained.s70.loss", TEN_POINTS),
            like=("D-random-collapse",),
        ),
        trained.rule(
            "training-recovers-random",
            "Of what half of the weights at random cost, training recovers something.",
            trained.superior("random.trained.s50.recovered"),
            like=("D-training-recovers",),
        ),
        trained.rule(
            "training-recovers-l1",
            "Of what nine tenths by L1 cost, training recovers something.",
            trained.superior("l1.trained.s90.recovered"),
            like=("D-training-recovers",),
        ),
        claim.rule(
            "global-beats-local",
            "At nine tenths, ranking all layers' weights together keeps more accuracy.",
            claim.superior("l1-global.untrained.s90.ahead"),
        ),
        claim.rule(
            "stale-masks-cost",
            "At nine tenths, masks from the weights before quantization cost accuracy.",
            claim.superior("l1-stale.untrained.s90.cost"),
        ),
        claim.rule(
            "activations-l1-beats-random",
            "Of half of the activations, dropping the smallest costs less than random ones.",
            claim.superior("l1-activations.untrained.s50.ahead"),
        ),
        claim.rule(
            "both-l1-beats-random",
            "Of half of the weights and half of the activations, dropping the smallest costs less "
            "than random ones.",
            claim.superior("l1-both.untrained.s50.ahead"),
            like=("B-l1-above-random",),
        ),
        claim.rule(
            "both-cost-more",
            "Half of the activations, dropped beside half of the weights, cost accuracy.",
            claim.superior("l1-both.untrained.s50.cost"),
        ),
        claim.rule(
            "both-near-chance",
            "Without nine tenths of its weights and activations, the smallest, the model is within "
            "ten points of chance.",
            claim.at_most("l1-both.untrained.s90", CHANCE + TEN_POINTS),
            like=("B-pruned-to-chance",),
        ),
        claim.rule(
            "sparsity-achieved",
            f"Masks hold the share of weights at zero that was asked for, to within {EXACT}.",
            claim.at_most("largest_miss", EXACT),
        ),
        claim.rule(
            "format-makes-zeros",
            "Before any pruning, the format alone rounds more than half of the model's weights to "
            "zero.",
            claim.exceeds("natural_zeros", 0.5),
        ),
    ]
