"""Fake-quantized linear layers: they compute in float32 with values of a number format."""

from collections.abc import Collection, Mapping
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import nn

from labs.formats.factory import WEIGHTS_ONLY, make_quantizer
from labs.models.layers import linears

Config = Mapping[str, Any]

FULL_PRECISION_BITS = 32


class QuantizedLinear(nn.Linear):
    """A linear layer whose inputs, weight and bias are quantized to one format.

    It shares the parameters of the layer it replaces, bias included (erratum 3), so its state has
    the same names.  Weights-only formats leave inputs and bias unchanged.
    """

    def __init__(self, linear: nn.Linear, config: Config) -> None:
        # On the "meta" device nothing is allocated or drawn for parameters about to be replaced.
        super().__init__(linear.in_features, linear.out_features, device="meta")
        self.register_parameter("weight", cast(nn.Parameter, linear.weight))
        self.register_parameter("bias", cast("nn.Parameter | None", linear.bias))
        self.quantizer = make_quantizer(config)
        self.weight_only = config["name"] in WEIGHTS_ONLY

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x Wᵀ + b of the quantized operands, of shape (..., out features).

        All are quantized at every call: a change of ``weight.data`` cannot be detected.
        """
        weight = self.quantizer(self.weight)
        bias: torch.Tensor | None = self.bias
        if not self.weight_only:
            x = self.quantizer(x)
            bias = None if bias is None else self.quantizer(bias)
        return F.linear(x, weight, bias)

    def bits(self) -> float:
        """Return the bits that weight and bias take, shared exponents included."""
        bits = self.quantizer.bits(self.weight.shape) * self.weight.numel()
        if self.bias is None:
            return bits
        a_value = FULL_PRECISION_BITS if self.weight_only else self.quantizer.bits(self.bias.shape)
        return bits + a_value * self.bias.numel()

    def extra_repr(self) -> str:
        """Return the layer's sizes and its format."""
        return f"{super().extra_repr()}, {self.quantizer}"


def quantize_linears(
    model: nn.Module, config: Config, names: Collection[str] | None = None
) -> nn.Module:
    """Replace all linear layers, or those named, by quantized ones; return the model.

    Raises ValueError for a name that is not a linear layer of the model, and for a layer whose
    weight or bias is computed from others, as pruning and parametrizations do.
    """
    layers = linears(model)
    chosen = list(layers if names is None else names)
    for name in chosen:
        if name not in layers:
            raise ValueError(f"{name!r} is not a linear layer; there are {', '.join(layers)}")
        parameters = dict(layers[name].named_parameters(recurse=False))
        for key in ("weight", "bias"):
            if getattr(layers[name], key) is not parameters.get(key):
                raise ValueError(
                    f"layer {name!r}: its {key} is pruned or parametrized; quantize the layer "
                    "before that, or make that permanent first (torch.nn.utils.prune.remove, "
                    "parametrize.remove_parametrizations)"
                )
    for name in chosen:
        model.set_submodule(name, QuantizedLinear(layers[name], config))
    return model


def average_bits(model: nn.Module) -> float:
    """Return the mean bits per value of the linear layers' weights and biases."""
    layers = linears(model).values()
    values = [sum(parameter.numel() for parameter in layer.parameters()) for layer in layers]
    bits = [
        layer.bits() if isinstance(layer, QuantizedLinear) else FULL_PRECISION_BITS * count
        for layer, count in zip(layers, values, strict=True)
    ]
    return sum(bits) / sum(values)


def zero_share(model: nn.Module) -> float:
    """Return the share of the linear layers' weights that are zero in the matrix product.

    A format rounds values below half its step to zero, and a mask zeroes the pruned ones.
    """
    weights = [_effective(layer) for layer in linears(model).values()]
    return 1 - sum(w.count_nonzero().item() for w in weights) / sum(w.numel() for w in weights)


def _effective(layer: nn.Linear) -> torch.Tensor:
    """Return a layer's weight as the matrix product uses it."""
    # torch.nn.utils.prune replaces the parameter by weight_orig and weight_mask.
    parameters, buffers = dict(layer.named_parameters()), dict(layer.named_buffers())
    weight = parameters.get("weight_orig", layer.weight).detach() * buffers.get("weight_mask", 1)
    return layer.quantizer.quantize(weight) if isinstance(layer, QuantizedLinear) else weight
