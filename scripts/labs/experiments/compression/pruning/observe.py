"""Pruning a quantized model: weights or activations, with and without fine-tuning afterwards."""

import argparse
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from transformers import BertForSequenceClassification

from labs.experiments.compression import sizes
from labs.experiments.compression.bench import FILES, Bench, clean, inputs
from labs.experiments.compression.curves import follow
from labs.experiments.compression.pruning import names
from labs.experiments.compression.pruning.names import ARM
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.models import fixed_point
from labs.models.optimization import Plan
from labs.models.pruned import (
    ActivationPruning,
    Method,
    Scope,
    ZeroInputs,
    copy_masks,
    prune_weights,
    pruned_share,
)
from labs.models.quantized import zero_share
from labs.records.names.studies import RATES
from labs.records.observations import Observations
from labs.records.rows import MASK, Case

MASKS = 6
"""How many random masks a model is pruned with before any training: one may cost a quarter of what
another does, and to judge one takes seconds."""


class Way(NamedTuple):
    """A way to prune.

    ``of`` says what is pruned: weights; weights with masks of the model before it was quantized and
    trained (as MASE does: erratum 5); the linear layers' inputs; or both, weights and inputs.
    """

    method: Method
    scope: Scope
    of: Literal["weights", "stale weights", "activations", "both"]


WAYS = {
    names.L1: Way("l1", "local", "weights"),
    names.RANDOM: Way("random", "local", "weights"),
    names.L1_GLOBAL: Way("l1", "global", "weights"),
    names.L1_STALE: Way("l1", "local", "stale weights"),
    names.L1_ACTIVATIONS: Way("l1", "local", "activations"),
    names.RANDOM_ACTIVATIONS: Way("random", "local", "activations"),
    names.L1_BOTH: Way("l1", "local", "both"),
    names.RANDOM_BOTH: Way("random", "local", "both"),
}


@dataclass(frozen=True)
class Curve:
    """One way to prune, at every sparsity.

    If there are epochs, each point is evaluated before and after fine-tuning, and one is chosen and
    tested.
    """

    name: str
    sparsities: Sequence[float]
    epochs: int

    @property
    def cases(self) -> list[Case]:
        """The points, sparsest first."""
        return [{"curve": self.name, "sparsity": x} for x in sorted(self.sparsities, reverse=True)]


MIDDLING = Curve(RATES, [0.7], 1)
"""The point at which learning rates are compared, by L1: it loses something, but not all."""


def curves(
    sparsities_untrained: Sequence[float], sparsities_trained: Sequence[float]
) -> list[Curve]:
    """Return all curves, by the settings of config.yaml: two are trained after pruning."""
    # Pruning activations by L1 is slow: of both together, only the shares that claims are about.
    of_both = [sparsity for sparsity in sparsities_untrained if sparsity in (0.5, 0.9)]
    both = (names.L1_BOTH, names.RANDOM_BOTH)
    at_once = dict.fromkeys(names.CURVES, sparsities_untrained) | dict.fromkeys(both, of_both)
    trained = {names.L1: [0.0, *sparsities_trained], names.RANDOM: sparsities_trained}
    return [
        Curve(name, sparsities, int(name in trained))
        for name, sparsities in (at_once | trained).items()
    ]


def observe(
    bench: Bench,
    base: BertForSequenceClassification,
    quantized: BertForSequenceClassification,
    curves: Sequence[Curve],
    learning_rates: Sequence[float],
) -> Observations:
    """Return a replicate's observations of all points, and of chosen ones on the test split.

    They are trained at the rate that is the best at MIDDLING.
    """
    seen = Observations(bench.replicate)
    (middling,) = MIDDLING.cases

    def trained(rate: float) -> BertForSequenceClassification:
        pruning = _Pruning(bench, base, quantized, MIDDLING, WAYS[names.L1], rate)
        model = pruning.masked(middling)
        pruning.fine_tune(model, middling)
        return model

    identity = bench.identity("pruning", quantized)
    rate = bench.choose_rate(seen, learning_rates, trained, identity)
    for curve in curves:
        pruning = _Pruning(bench, base, quantized, curve, WAYS[curve.name], rate)
        identity = bench.identity(["pruning", curve.epochs, rate], quantized)
        follow(seen, curve.cases, pruning.observe_point, bench.studies, identity)
        if curve.epochs:
            candidates = [{**case, "epochs": curve.epochs} for case in curve.cases]
            bench.choose(seen, candidates, pruning.observe_chosen, identity)
    return seen


@dataclass(frozen=True)
class _Pruning:
    """A replicate's models, pruned along a curve."""

    bench: Bench
    base: BertForSequenceClassification
    quantized: BertForSequenceClassification
    curve: Curve
    way: Way
    rate: float

    def observe_point(self, seen: Observations, case: Case) -> None:
        """Record what a model answers once it is pruned and, on some curves, fine-tuned."""
        way, at_once = self.way, {**case, "epochs": 0}
        model = self.masked(case)
        if way.of in ("activations", "both"):
            ActivationPruning(model, way.method, case["sparsity"], self.bench.seed)
        if way.of == "activations":
            zeros = ZeroInputs(model)
            self.bench.judge(seen, model, ARM, at_once, whole=True)
            seen.fact("pruned", zeros.share, "share", ARM, **at_once)
            return
        self._judge(seen, model, at_once)
        if self.curve.name == names.RANDOM:
            for mask in range(1, MASKS):
                self._judge(seen, self.masked(case, mask), {**at_once, MASK: mask})
        if self.curve.epochs:
            trained = {**case, "epochs": self.curve.epochs}
            seen.fact("loss", self.fine_tune(model, case), "bits", ARM, **trained)
            self._judge(seen, model, trained)

    def observe_chosen(self, seen: Observations, case: Case) -> None:
        """Record what the model of a chosen point answers on the test split."""
        model = self.masked(case)
        self.fine_tune(model, case)
        seen.fact("chosen", str(case["sparsity"]), "text", ARM, **case)
        self.bench.judge(seen, model, ARM, case, split="test")

    def masked(self, case: Case, mask: int = 0) -> BertForSequenceClassification:
        """Return a copy of the quantized model with a share of its weights masked, if any are."""
        way, model = self.way, copy.deepcopy(self.quantized)
        if way.of == "activations":
            return model
        ranked = copy.deepcopy(self.base) if way.of == "stale weights" else model
        prune_weights(ranked, way.method, case["sparsity"], way.scope, self.bench.seed + mask)
        if ranked is not model:
            copy_masks(ranked, model)
        return model

    def fine_tune(self, model: BertForSequenceClassification, case: Case) -> float:
        """Train a model of this curve in place; return its loss, in bits per review."""
        plan, name = Plan(self.curve.epochs, self.rate), f"{self.curve.name}.{case['sparsity']}"
        return self.bench.fine_tune(model, plan, f"{name}.{self.rate}")

    def _judge(self, seen: Observations, model: BertForSequenceClassification, case: Case) -> None:
        """Record a pruned model's answers, and its actual sparsity."""
        seen.fact("pruned", pruned_share(model), "share", ARM, **case)
        seen.fact("zero", zero_share(model), "share", ARM, **case)
        self.bench.judge(seen, model, ARM, case)


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    return inputs(arguments) | {
        "curves": curves(**arguments_for(arguments, curves)),
        "quantized": fixed_point.load(arguments.quantized),
    }


JOB = Job(
    "pruning",
    observe,
    sizes.PRUNING,
    files=(*FILES, "quantized"),
    replicated=True,
    inputs=_inputs,
    finish=clean,
)
