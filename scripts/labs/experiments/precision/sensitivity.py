"""Sharing bits out without a search: what each layer's format costs in loss, and the best sum.

Both scores are of training reviews, one layer at a time. The direct one measures how much the loss
rises; the gradient one estimates it to second order, with the squared gradients in place of the
curvature, which needs no evaluation of any format (Dong et al., 2019, rank layers so).
"""

import math
import sys
from collections.abc import Mapping, Sequence

import numpy as np
import torch
import torch.nn.functional as F
from scipy.optimize import Bounds, LinearConstraint, milp
from torch import nn

from labs.experiments.precision.bench import Bench
from labs.experiments.precision.names import TRAINING, Allocation
from labs.formats.configurations import configuration
from labs.formats.factory import make_quantizer
from labs.formats.names import FLOAT32
from labs.models.layers import linears

Scores = Mapping[str, Mapping[str, float]]
"""By layer and format: a predicted rise of the loss."""

BATCH = 50

ROUNDING = 1e-9
"""Of sums of bits, which are added in another order."""


def direct(bench: Bench, choices: Sequence[str]) -> Scores:
    """Return how much the loss rises, in bits a review, with one layer alone in each format."""
    plain = bench.uniform(FLOAT32)
    before = bench.evaluate(plain, TRAINING)["loss"]
    scores: dict[str, dict[str, float]] = {}
    for layer in bench.layers:
        print(f"judging {layer} alone in each format", file=sys.stderr, flush=True)
        scores[layer] = {
            spelled: bench.evaluate({**plain, layer: spelled}, TRAINING)["loss"] - before
            for spelled in choices
        }
    return scores


def gradient(bench: Bench, choices: Sequence[str]) -> Scores:
    """Return half the sum of a weight's squared gradient times its squared change, in bits."""
    curvature = _squared_gradients(bench)

    def score(layer: str, spelled: str) -> float:
        weight = bench.base.get_submodule(layer).get_parameter("weight").detach()
        change = make_quantizer(configuration(spelled)).quantize(weight) - weight
        return float((curvature[layer] * change.square()).sum()) / 2 / math.log(2)

    return {layer: {spelled: score(layer, spelled) for spelled in choices} for layer in curvature}


def allocate(scores: Scores, bits: Scores, budget: float) -> Allocation:
    """Return the formats with the least sum of scores whose sum of bits is within a budget.

    The optimum of this additive model is exact. Raises SystemExit when no formats fit, or when
    the solver stops before it has the optimum.
    """
    layers, choices = list(scores), list(next(iter(scores.values())))
    cost = [scores[layer][spelled] for layer in layers for spelled in choices]
    weights = [bits[layer][spelled] for layer in layers for spelled in choices]
    one_each = np.kron(np.eye(len(layers)), np.ones(len(choices)))
    solution = milp(
        cost,
        integrality=np.ones(len(cost)),
        bounds=Bounds(0, 1),
        constraints=[
            LinearConstraint(one_each, 1, 1),
            LinearConstraint([weights], ub=budget + ROUNDING),
        ],
        options={"mip_rel_gap": 0},
    )
    if solution.status != 0:
        raise SystemExit(f"error: no allocation of at most {budget:.3f} bits: {solution.message}")
    chosen = solution.x.reshape(len(layers), len(choices)).argmax(axis=1)
    return {layer: choices[number] for layer, number in zip(layers, chosen, strict=True)}


def predicted(scores: Scores, allocation: Allocation) -> float:
    return sum(scores[layer][spelled] for layer, spelled in allocation.items())


def _squared_gradients(bench: Bench) -> dict[str, torch.Tensor]:
    """Return for each layer's weight the mean over batches of its squared gradient, by a batch.

    The gradient of a batch's mean loss has a variance BATCH times smaller than that of a review.
    """
    model: nn.Module = bench.base
    model.to(bench.device).eval()
    reviews = bench.reviews(TRAINING)
    weights = {name: layer.weight for name, layer in linears(model).items()}
    squares = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    parts = torch.arange(len(reviews)).split(BATCH)
    for indices in parts:
        batch = reviews.batch(indices, bench.device)
        loss = F.cross_entropy(model(batch.tokens, attention_mask=batch.mask).logits, batch.labels)
        gradients = torch.autograd.grad(loss, [*weights.values()])
        for name, gradient in zip(weights, gradients, strict=True):
            squares[name] += gradient.square() * len(indices) / len(parts)
    return squares
