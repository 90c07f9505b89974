"""What an allocation costs: bits of weights and of inputs, and the bytes of the whole model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import nn

from labs.experiments.compression.quantization.names import FLOAT32
from labs.experiments.precision.names import Allocation
from labs.formats.configurations import configuration
from labs.formats.factory import WEIGHTS_ONLY, make_quantizer
from labs.models.linears import linears
from labs.models.quantized import FULL_PRECISION_BITS

BITS_A_BYTE = 8


@dataclass(frozen=True)
class Layer:
    """A linear layer: its weight's shape, its biases, and its inputs to each review."""

    rows: int
    columns: int
    biases: int
    inputs: int

    @property
    def parameters(self) -> int:
        """Weights and biases."""
        return self.rows * self.columns + self.biases

    @property
    def multiplications(self) -> int:
        """Those of one review."""
        return self.rows * self.columns * self.inputs

    def weight_bits(self, spelled: str) -> float:
        """Return the bits of all its parameters in a format, shared exponents included."""
        if spelled == FLOAT32:
            return FULL_PRECISION_BITS * self.parameters
        config = configuration(spelled)
        quantizer = make_quantizer(config)
        weights = quantizer.bits((self.rows, self.columns)) * self.rows * self.columns
        whole = config["name"] in WEIGHTS_ONLY
        return weights + self.biases * (
            FULL_PRECISION_BITS if whole else quantizer.bits((max(self.biases, 1),))
        )

    def input_bits(self, spelled: str) -> float:
        """Return the bits of one of its inputs in a format, shared exponents included."""
        if spelled == FLOAT32:
            return FULL_PRECISION_BITS
        config = configuration(spelled)
        if config["name"] in WEIGHTS_ONLY:
            return FULL_PRECISION_BITS
        return make_quantizer(config).bits((self.inputs, self.columns))


class Costs:
    """The costs of a model's layers in any formats.

    The average bits of an allocation are the mean of two averages: that of the weights and biases,
    and that of the inputs, in which a layer counts by its multiplications.
    """

    def __init__(self, model: nn.Module, tokens: int) -> None:
        self.layers = _layers(model, tokens)
        self.embeddings = {
            name: (one.num_embeddings, one.embedding_dim)
            for name, one in model.named_modules()
            if isinstance(one, nn.Embedding)
        }
        self._values = sum(weight.numel() for weight in model.parameters())

    def bits(self, allocation: Allocation) -> float:
        """Return the average bits of an operand of the linear layers."""
        return sum(self.share(layer, allocation[layer]) for layer in self.layers)

    def share(self, layer: str, spelled: str) -> float:
        """Return what a layer in a format adds to the average bits: they are a sum over layers."""
        found = self.layers[layer]
        weights = found.weight_bits(spelled) / self._parameters
        inputs = found.input_bits(spelled) * found.multiplications / self._multiplications
        return (weights + inputs) / 2

    def bytes(self, allocation: Allocation) -> float:
        """Return the bytes of the model; what the allocation does not name is in float32.

        It may name embeddings beside the linear layers.
        """
        named, bits = 0, 0.0
        for name, spelled in allocation.items():
            if name in self.layers:
                named += self.layers[name].parameters
                bits += self.layers[name].weight_bits(spelled)
            else:
                shape = self.embeddings[name]
                named += math.prod(shape)
                bits += math.prod(shape) * make_quantizer(configuration(spelled)).bits(shape)
        return (bits + (self._values - named) * FULL_PRECISION_BITS) / BITS_A_BYTE

    @property
    def _parameters(self) -> int:
        return sum(layer.parameters for layer in self.layers.values())

    @property
    def _multiplications(self) -> int:
        return sum(layer.multiplications for layer in self.layers.values())


@torch.no_grad()
def _layers(model: nn.Module, tokens: int) -> Mapping[str, Layer]:
    """Return the linear layers, with the inputs that they get from a review of so many tokens."""
    inputs: dict[nn.Module, int] = {}

    def count(layer: nn.Module, arguments: tuple[torch.Tensor]) -> None:
        inputs[layer] = arguments[0].numel() // arguments[0].shape[-1]

    found = linears(model)
    handles = [layer.register_forward_pre_hook(count) for layer in found.values()]
    model.eval()(torch.zeros(1, tokens, dtype=torch.long))
    for handle in handles:
        handle.remove()
    return {
        name: Layer(
            layer.out_features,
            layer.in_features,
            0 if layer.bias is None else layer.bias.numel(),
            inputs[layer],
        )
        for name, layer in found.items()
    }
