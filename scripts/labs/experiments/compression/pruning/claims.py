"""Claims about pruned models: question 1.2."""

from itertools import product

from labs.analysis.values import Values
from labs.claims.claim import Claim
from labs.claims.paired import TEN_POINTS, Paired
from labs.claims.statement import Rule, Statement
from labs.experiments.compression.pruning import names
from labs.experiments.compression.pruning.values import UNPRUNED, part, point, state
from labs.records.record import Record

EXPERIMENT = "pruning"

QUESTION = "lab1-2"
EXACT = 0.001
"""How far an achieved sparsity may be from the one that was asked for."""

CHANCE = 0.5

SPARSITIES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Those of the lab."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Paired(record, values, "pruning", QUESTION)
    trained = claim.at("compression", "reviews", "learning_rate", epochs=1)
    settings = list(product(SPARSITIES, (0, 1)))
    rivals = {
        part(*setting): (point(names.L1, *setting), point(names.RANDOM, *setting))
        for setting in settings
    }
    leads = claim.family(rivals)
    costs = claim.family({name: (UNPRUNED, random) for name, (_, random) in rivals.items()})

    def l1_beats_random(sparsity: float, epochs: int) -> Rule:
        words = "Trained afterwards" if epochs else "Without further training"
        name, rules = part(sparsity, epochs), trained if epochs else claim
        here = rules.at("compression.sparsities", **{state(epochs): sparsity})
        return here.rule(
            f"{name}.l1-beats-random",
            f"{words}, at sparsity {sparsity}, L1 keeps more accuracy than random pruning.",
            here.needing(lambda s: leads.superior(s, name), *rivals[name]),
            like=("D-l1-above-random",),
        )

    def ahead_where_it_costs(statement: Statement) -> Claim:
        """Return the claim about all sparsities at which random pruning surely costs accuracy."""
        run = [
            part(sparsity, 0) for sparsity in SPARSITIES if claim.has(point(names.RANDOM, sparsity))
        ]
        costly = [name for name in run if costs.superior(statement, name).verdict == "confirmed"]
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
            claim.pair_non_inferior(UNPRUNED, point(names.L1, 0.5)),
        ),
        claim.rule(
            "nine-tenths-cost",
            "Nine tenths of the weights, the smallest of each layer, cost accuracy.",
            claim.pair_superior(UNPRUNED, point(names.L1, 0.9)),
            like=("D-l1-decline",),
        ),
        claim.rule(
            "random-half-costs",
            "Half of the weights, drawn at random, cost more than ten points.",
            claim.pair_far_superior(UNPRUNED, point(names.RANDOM, 0.5)),
        ),
        claim.rule(
            "random-collapses",
            "Seven tenths of the weights, drawn at random, cost more than ten points.",
            claim.pair_far_superior(UNPRUNED, point(names.RANDOM, 0.7)),
            like=("D-random-collapse",),
        ),
        trained.rule(
            "training-recovers-random",
            "Of what half of the weights at random cost, training recovers something.",
            trained.pair_superior(point(names.RANDOM, 0.5, 1), point(names.RANDOM, 0.5)),
            like=("D-training-recovers",),
        ),
        trained.rule(
            "training-recovers-l1",
            "Of what nine tenths by L1 cost, training recovers something.",
            trained.pair_superior(point(names.L1, 0.9, 1), point(names.L1, 0.9)),
            like=("D-training-recovers",),
        ),
        claim.rule(
            "global-beats-local",
            "At nine tenths, ranking all layers' weights together keeps more accuracy.",
            claim.pair_superior(point(names.L1_GLOBAL, 0.9), point(names.L1, 0.9)),
        ),
        claim.rule(
            "stale-masks-cost",
            "At nine tenths, masks from the weights before quantization cost accuracy.",
            claim.pair_superior(point(names.L1, 0.9), point(names.L1_STALE, 0.9)),
        ),
        claim.rule(
            "activations-l1-beats-random",
            "Of half of the activations, dropping the smallest costs less than random ones.",
            claim.pair_superior(
                point(names.L1_ACTIVATIONS, 0.5), point(names.RANDOM_ACTIVATIONS, 0.5)
            ),
        ),
        claim.rule(
            "both-l1-beats-random",
            "Of half of the weights and half of the activations, dropping the smallest costs less "
            "than random ones.",
            claim.pair_superior(point(names.L1_BOTH, 0.5), point(names.RANDOM_BOTH, 0.5)),
            like=("B-l1-above-random",),
        ),
        claim.rule(
            "both-cost-more",
            "Half of the activations, dropped beside half of the weights, cost accuracy.",
            claim.pair_superior(point(names.L1, 0.5), point(names.L1_BOTH, 0.5)),
        ),
        claim.rule(
            "both-near-chance",
            "Without nine tenths of the weights and of the activations, the smallest, accuracy is "
            "within ten points of chance.",
            claim.needing(
                claim.at_most("l1-both.untrained.s90", CHANCE + TEN_POINTS),
                point(names.L1_BOTH, 0.9),
            ),
            like=("B-pruned-to-chance",),
        ),
        claim.rule(
            "sparsity-achieved",
            f"Masks hold the share of weights at zero that was asked for, to within {EXACT}.",
            claim.at_most("largest_miss", EXACT),
        ),
        claim.rule(
            "format-makes-zeros",
            "Before any pruning, the format alone rounds more than half of the weights to zero.",
            claim.exceeds("natural_zeros", 0.5),
        ),
    ]
