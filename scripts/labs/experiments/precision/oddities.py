"""Two layers as the labs' framework builds them, which are not what their names say.

Its LinearBinaryScaling has no scale: until it is trained it computes with the weights of float32,
cut to [-1, 1]. Its LinearBinaryResidualSign applies the residual signs to the inputs, and has the
signs of the weights times one scale a layer.
"""

import copy

import torch
import torch.nn.functional as F
from torch import nn

from labs.formats.binary import ResidualSign, signs
from labs.models.layers import linears


def without_scale(model: nn.Module) -> nn.Module:
    """Return a copy whose linear layers are the labs' LinearBinaryScaling, untrained."""
    changed = copy.deepcopy(model)
    with torch.no_grad():
        for layer in linears(changed).values():
            layer.weight.clamp_(-1, 1)
    return changed


def on_inputs(model: nn.Module) -> nn.Module:
    """Return a copy whose linear layers are the labs' LinearBinaryResidualSign.

    The scale is the mean magnitude of a layer's weights, which is the best single one.
    """
    changed = copy.deepcopy(model)
    for name, layer in linears(changed).items():
        changed.set_submodule(name, _SignedInputs(layer))
    return changed


class _SignedInputs(nn.Module):
    """Multiplies the residual signs of its inputs by scaled signs of its weights."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        weight = linear.weight.detach()
        self.weight = nn.Parameter(signs(weight) * weight.abs().mean())
        self.bias = linear.bias
        self._quantizer = ResidualSign()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the layer's outputs, of shape (..., out features)."""
        return F.linear(self._quantizer(x), self.weight, self.bias)
