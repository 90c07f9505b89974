"""What an allocation costs: bits of weights and of inputs, and the bytes of the whole model."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import nn

from labs.experiments.precision.names import Allocation
from labs.formats.configurations import configuration
from labs.formats.factory import WEIGHTS_ONLY, make_quantizer
from labs.formats.names import FLOAT32
from labs.models.layers import linears
from labs.models.quantized import FULL_PRECISION_BITS

BITS_A_BYTE = 8


def _bits(spelled: str, shape: tuple[int, ...]) -> float:
    """Return the bits of an element of a tensor in a format, shared exponents included."""
    if spelled == FLOAT32:
        return FULL_PRECISION_BITS
    return make_quantizer(configuration(spelled)).bits(shape)


def _keeps_inputs(spelled: str) -> bool:
    """Return whether a format is of weights alone: inputs and biases stay in float32."""
    return spelled == FLOAT32 or configuration(spelled)["name"] in WEIGHTS_ONLY


@dataclass(frozen=True)
class Layer:
    """A linear layer: its weight's shape, its biases, and its inputs to each review."""

    rows: int
    columns: int
    biases: int
    inputs: int

    @property
    def parameters(self) -> int:
        return self.rows * self.columns + self.biases

    @property
    def multiplications(self) -> int:
        """Those of one review."""
        return self.rows * self.columns * self.inputs

    def weight_bits(self, spelled: str) -> float:
        """Return the bits of all its parameters in a format, shared exponents included."""
        weights = _bits(spelled, (self.rows, self.columns)) * self.rows * self.columns
        of_biases = FLOAT32 if _keeps_inputs(spelled) else spelled
        return weights + self.biases * _bits(of_biases, (max(self.biases, 1),))

    def input_bits(self, spelled: str) -> float:
        """Return the bits of one of its inputs in a format, shared exponents included."""
        of_inputs = FLOAT32 if _keeps_inputs(spelled) else spelled
        return _bits(of_inputs, (self.inputs, self.columns))


class Costs:
    """The costs of a model's layers in any formats.

    The average bits of an allocation are the mean of two averages: that of the weights and biases,
    and that of the inputs, in which a layer counts by its multiplications.
    """

    def __init__(self, model: nn.Module, tokens: int) -> None:
        self.layers = _layers(model, tokens)
        self.embeddings = {
            name: (module.num_embeddings, module.embedding_dim)
            for name, module in model.named_modules()
            if isinstance(module, nn.Embedding)
        }
        self._values = sum(weight.numel() for weight in model.parameters())
        self._parameters = sum(layer.parameters for layer in self.layers.values())
        self._multiplications = sum(layer.multiplications for layer in self.layers.values())

    def bits(self, allocation: Allocation) -> float:
        """Return the average bits of an operand of the linear layers."""
        return sum(self.share(layer, allocation[layer]) for layer in self.layers)

    def share(self, layer: str, spelled: str) -> float:
        """Return what a layer in a format adds to the average bits: they are a sum over layers."""
        shape = self.layers[layer]
        weights = shape.weight_bits(spelled) / self._parameters
        inputs = shape.input_bits(spelled) * shape.multiplications / self._multiplications
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
                bits += math.prod(shape) * _bits(spelled, shape)
        return (bits + (self._values - named) * FULL_PRECISION_BITS) / BITS_A_BYTE


@torch.no_grad()
def _layers(model: nn.Module, tokens: int) -> Mapping[str, Layer]:
    """Return the linear layers, with the inputs that they get from a review of so many tokens."""
    inputs: dict[nn.Module, int] = {}

    def count(layer: nn.Module, arguments: tuple[torch.Tensor]) -> None:
        inputs[layer] = arguments[0].numel() // arguments[0].shape[-1]

    modules = linears(model)
    handles = [module.register_forward_pre_hook(count) for module in modules.values()]
    model.eval()(torch.zeros(1, tokens, dtype=torch.long))
    for handle in handles:
        handle.remove()
    biases = {name: 0 if m.bias is None else m.bias.numel() for name, m in modules.items()}
    return {
        name: Layer(module.out_features, module.in_features, biases[name], inputs[module])
        for name, module in modules.items()
    }
