"""The ranges of a trained model: weights, biases and inputs of its linear layers.

They show how many integer bits a format needs.
"""

from typing import Any

import torch
from torch import nn

from labs.data.reviews import Reviews
from labs.experiments.compression import sizes
from labs.experiments.compression.bench import FILES, Bench, clean, inputs
from labs.jobs.job import Job
from labs.models.evaluation import predict
from labs.models.layers import RealTokens, linears
from labs.records.observations import Observations

QUANTILES = (0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 1.0)
MOST_INTEGER_BITS = 10
MOST_REVIEWS = 200
"""Reviews whose inputs are collected: their tokens give millions of numbers per layer."""


def observe(bench: Bench, base: nn.Module) -> Observations:
    """Return quantiles of every layer's tensors, and the share saturated per integer width.

    Inputs are those of real tokens of validation reviews.
    """
    seen = Observations(bench.replicate)
    parameters = sum(parameter.numel() for parameter in base.parameters())
    seen.fact("parameters", parameters, "count", "model")
    inputs, first, reviews = _Inputs(base), slice(MOST_REVIEWS), bench.validation
    subset = Reviews(reviews.tokens[first], reviews.lengths[first], reviews.labels[first])
    predict(base, subset, bench.device)
    for name, layer in linears(base).items():
        tensors = {"weight": layer.weight, "bias": layer.bias, "input": inputs.of(layer)}
        for kind, tensor in tensors.items():
            _observe_tensor(seen, tensor.detach().float().flatten().cpu(), kind, layer=name)
    return seen


def _observe_tensor(seen: Observations, values: torch.Tensor, kind: str, **case: Any) -> None:
    seen.fact("values", values.numel(), "count", kind, **case)
    ordered = values.sort().values
    for quantile in QUANTILES:
        value = ordered[round(quantile * (len(ordered) - 1))].item()
        seen.fact("quantile", value, "ratio", kind, quantile=quantile, **case)
    for bits in range(1, MOST_INTEGER_BITS + 1):
        limit = 2.0 ** (bits - 1)
        share = ((values < -limit) | (values >= limit)).float().mean().item()
        seen.fact("saturated", share, "share", kind, integer_bits=bits, **case)


class _Inputs:
    """Collects the inputs of every linear layer at real tokens."""

    def __init__(self, model: nn.Module) -> None:
        self._real = RealTokens(model)
        self._parts: dict[nn.Module, list[torch.Tensor]] = {}
        for layer in linears(model).values():
            self._parts[layer] = []
            layer.register_forward_pre_hook(self._gather)

    def of(self, layer: nn.Module) -> torch.Tensor:
        """Return all collected inputs of a layer."""
        return torch.cat(self._parts[layer])

    def _gather(self, layer: nn.Module, arguments: tuple[torch.Tensor]) -> None:
        self._parts[layer].append(self._real.of(arguments[0]))


JOB = Job("ranges", observe, sizes.JUDGED, files=FILES, inputs=inputs, finish=clean)
