"""A quantized model, pruned: weights or activations, with and without training afterwards."""

from __future__ import annotations

import copy
from dataclasses import asdict, dataclass
from typing import Literal

from transformers import BertForSequenceClassification

from labs import pruning
from labs.compression import Bench, choose
from labs.curves import Case, follow
from labs.fixed_point import accuracy
from labs.measure.observations import Observations
from labs.pruning import ActivationPruning, Method, Scope
from labs.quantization import zero_share
from labs.training import Plan

ARM = "pruned"

Ranked = Literal["weights", "stale weights", "activations"]


@dataclass(frozen=True)
class Curve:
    """One way to prune, at every sparsity.

    ``of`` says what is pruned: weights; weights by masks from the model as it was before it was
    quantized and trained (as MASE does: erratum 5); or the linear layers' inputs.  With epochs,
    each point is judged before and after so much fine-tuning, and one is chosen and tested.
    """

    method: Method
    scope: Scope
    of: Ranked
    sparsities: tuple[float, ...]
    epochs: int
    learning_rate: float

    @property
    def name(self) -> str:
        """Return the curve's name."""
        return f"{self.method}, {self.scope}, {self.of}"

    @property
    def cases(self) -> list[Case]:
        """Return the points, the sparsest first."""
        return [{"curve": self.name, "sparsity": x} for x in sorted(self.sparsities, reverse=True)]


def observe(
    bench: Bench,
    base: BertForSequenceClassification,
    quantized: BertForSequenceClassification,
    curve: Curve,
) -> Observations:
    """Return what a replicate saw of every point, and of the chosen one on the test split."""

    def at_point(seen: Observations, case: Case) -> None:
        at_once = {**case, "epochs": 0}
        if curve.of == "activations":
            _judge_without_activations(bench, seen, copy.deepcopy(quantized), curve, at_once)
            return
        model = masked(quantized, base, curve, case["sparsity"], bench.seed)
        _judge(bench, seen, model, at_once)
        if curve.epochs:
            trained = {**case, "epochs": curve.epochs}
            seen.fact("loss", _fine_tune(bench, model, curve, case), "bits", ARM, **trained)
            _judge(bench, seen, model, trained)

    identity = bench.identity(asdict(curve), quantized)
    seen = follow(curve.cases, at_point, bench.replicate, bench.partial, identity)
    if curve.epochs:
        candidates = [{**case, "epochs": curve.epochs} for case in curve.cases]
        case = choose(candidates, lambda case: accuracy(seen, case))
        model = masked(quantized, base, curve, case["sparsity"], bench.seed)
        _fine_tune(bench, model, curve, case)
        seen.fact("chosen", str(case["sparsity"]), "text", ARM, **case)
        bench.judge(seen, model, ARM, case, split="test")
    return seen


def masked(
    quantized: BertForSequenceClassification,
    base: BertForSequenceClassification,
    curve: Curve,
    sparsity: float,
    seed: int,
) -> BertForSequenceClassification:
    """Return a copy of the quantized model with that share of its weights masked."""
    model = copy.deepcopy(quantized)
    if curve.of == "weights":
        pruning.prune_weights(model, curve.method, sparsity, curve.scope, seed)
    else:
        stale = copy.deepcopy(base)
        pruning.prune_weights(stale, curve.method, sparsity, curve.scope, seed)
        pruning.copy_masks(stale, model)
    return model


def _fine_tune(
    bench: Bench, model: BertForSequenceClassification, curve: Curve, case: Case
) -> float:
    plan = Plan(curve.epochs, curve.learning_rate)
    return bench.fine_tune(model, plan, f"{case['sparsity']}")


def _judge(
    bench: Bench, seen: Observations, model: BertForSequenceClassification, case: Case
) -> None:
    """Keep a pruned model's answers, and the sparsity that it really has."""
    seen.fact("pruned", pruning.pruned_share(model), "share", ARM, **case)
    seen.fact("zero", zero_share(model), "share", ARM, **case)
    bench.judge(seen, model, ARM, case)


def _judge_without_activations(
    bench: Bench,
    seen: Observations,
    model: BertForSequenceClassification,
    curve: Curve,
    case: Case,
) -> None:
    """Keep a model's answers when a share of its linear layers' inputs is zero."""
    pruned = ActivationPruning(model, curve.method, case["sparsity"], bench.seed)
    bench.judge(seen, model, ARM, case)
    seen.fact("pruned", pruned.pruned_share, "share", ARM, **case)
