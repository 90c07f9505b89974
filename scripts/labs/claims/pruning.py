"""Claims about pruned models: question 1.2."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value
from labs.analysis.points import Case, Points
from labs.analysis.pruning import percent, point, state, values
from labs.claims.claim import Claim, Rule, Statement, judge_rules
from labs.records import MEASURED, Record

QUESTION = "lab1-2"
MARGIN = 0.01
"""A loss of up to one percentage point counts as none."""

MUCH = 0.1
"""A loss of more than ten percentage points is a large one."""

EXACT = 0.001
"""How far an achieved sparsity may be from the one that was asked for."""

ASKED = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The lab's sparsities."""


def claims(record: Record) -> list[Claim]:
    """Return the claims about pruned models."""
    return judge_rules(record, rules(record))


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about pruned models, and how each is judged."""
    measured = record["status"] == MEASURED
    points = cache(lambda: Points(record, split="validation"))

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def rule(
        short: str,
        words: str,
        judge: Callable[[Statement], Claim],
        like: tuple[str, ...] = (),
        needed: tuple[Case, ...] = (),
    ) -> Rule:
        there = not measured or all(points().has(case) for case in needed)
        missing = "" if there else "this preset does not run all of its points"
        statement = Statement(f"pruning.{short}", QUESTION, record["device"], words, like)
        return Rule(statement, judge, missing)

    def ahead(
        short: str,
        words: str,
        first: Case,
        second: Case,
        limit: float = 0.0,
        like: tuple[str, ...] = (),
    ) -> Rule:
        """Claim that the first point is ahead of the second by more than a limit."""
        return rule(
            short,
            words,
            lambda s: s.above_in_all(
                points().gain(first, second), points().gains(first, second), limit
            ),
            like,
            (first, second),
        )

    def at(sparsity: float) -> list[Rule]:
        """The claims about one sparsity."""
        of = f"at sparsity {sparsity}"
        claimed = []
        for epochs in (0, 1):
            words = f"{'Trained afterwards' if epochs else 'Without further training'}, {of}"
            claimed.append(
                ahead(
                    f"{state(epochs)}.{percent(sparsity)}.l1-beats-random",
                    f"{words}, L1 keeps more accuracy than random pruning.",
                    point("l1", sparsity, epochs),
                    point("random", sparsity, epochs),
                    like=("B-l1-above-random", "C-l1-above-random", "D-l1-above-random"),
                )
            )
        return claimed

    whole = point("l1", 0.0, 0)
    return [
        *(one for sparsity in ASKED for one in at(sparsity)),
        rule(
            "half-for-free",
            "Half of the weights, the smallest of each layer, cost less than a point.",
            lambda s: s.below_in_all(
                points().gain(whole, point("l1", 0.5, 0)),
                points().gains(whole, point("l1", 0.5, 0)),
                MARGIN,
            ),
            needed=(whole, point("l1", 0.5, 0)),
        ),
        ahead(
            "nine-tenths-cost",
            "Nine tenths of the weights, the smallest of each layer, cost more than a point.",
            whole,
            point("l1", 0.9, 0),
            MARGIN,
            like=("D-l1-decline",),
        ),
        ahead(
            "random-half-costs",
            "Half of the weights, drawn at random, cost more than ten points.",
            whole,
            point("random", 0.5, 0),
            MUCH,
        ),
        ahead(
            "random-collapses",
            "Seven tenths of the weights, drawn at random, cost more than ten points.",
            whole,
            point("random", 0.7, 0),
            MUCH,
            like=("D-random-collapse",),
        ),
        ahead(
            "training-recovers-random",
            "Of that, training recovers more than a point.",
            point("random", 0.5, 1),
            point("random", 0.5, 0),
            MARGIN,
            like=("D-training-recovers",),
        ),
        ahead(
            "training-recovers-l1",
            "Of what nine tenths by L1 cost, training recovers more than a point.",
            point("l1", 0.9, 1),
            point("l1", 0.9, 0),
            MARGIN,
            like=("D-training-recovers",),
        ),
        ahead(
            "global-beats-local",
            "At nine tenths, ranking all layers' weights together keeps more accuracy.",
            point("global", 0.9, 0),
            point("l1", 0.9, 0),
        ),
        ahead(
            "stale-masks-cost",
            "At nine tenths, masks from the weights before quantization cost accuracy.",
            point("l1", 0.9, 0),
            point("stale", 0.9, 0),
        ),
        ahead(
            "activations-l1-beats-random",
            "Of half of the activations, dropping the smallest costs less than random ones.",
            point("l1-activations", 0.5, 0),
            point("random-activations", 0.5, 0),
        ),
        rule(
            "sparsity-achieved",
            "Masks hold exactly the share of weights at zero that was asked for.",
            lambda s: s.holds(
                found()["pruning.largest_miss"],
                found()["pruning.largest_miss"].estimate.value <= EXACT,
            ),
        ),
        rule(
            "format-makes-zeros",
            "Before any pruning, the format alone rounds more than half of the weights to zero.",
            lambda s: s.above(found()["pruning.natural_zeros"], 0.5),
        ),
    ]
