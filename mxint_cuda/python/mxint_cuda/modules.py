"""Modules: a linear layer with a packed weight, and the conversion of whole models."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import torch
from torch import nn

from mxint_cuda.arguments import (
    FLOATS,
    check_activations,
    check_device,
    check_group_size,
    check_tensor,
)
from mxint_cuda.functional import linear, quantize


class Linear(nn.Module):
    """A linear layer whose weight is MXINT8, in the buffers ``mantissa`` and ``exponent``.

    The buffers move, save, load and copy with the module; ``.to(dtype)`` leaves them as they are.
    The weight is frozen; the bias is the layer's own.
    """

    mantissa: torch.Tensor
    exponent: torch.Tensor
    bias: nn.Parameter | None

    def __init__(
        self,
        mantissa: torch.Tensor,
        exponent: torch.Tensor,
        bias: nn.Parameter | None = None,
        group_size: int = 32,
        activations: Literal["float", "mxint8"] = "float",
    ) -> None:
        """Hold a packed weight of shape (outputs, inputs); see ``mxint_cuda.linear``."""
        super().__init__()
        self.register_buffer("mantissa", mantissa)
        self.register_buffer("exponent", exponent)
        self.register_parameter("bias", bias)
        self.group_size = group_size
        self.activations = activations

    @classmethod
    def from_linear(
        cls,
        layer: nn.Linear,
        group_size: int = 32,
        activations: Literal["float", "mxint8"] = "float",
    ) -> Linear:
        """Return the layer with its weight quantized; the bias is shared, not copied.

        Raises TypeError when ``layer`` is no nn.Linear; see also ``mxint_cuda.quantize``.
        """
        if not isinstance(layer, nn.Linear):
            raise TypeError(f"layer must be an nn.Linear, not {type(layer).__name__}")
        mantissa, exponent = quantize(layer.weight.detach(), group_size)
        module = cls(mantissa, exponent, layer.bias, group_size, activations)
        return module.train(layer.training)

    @property
    def in_features(self) -> int:
        """Columns of x."""
        return self.mantissa.shape[1]

    @property
    def out_features(self) -> int:
        """Columns of the result."""
        return self.mantissa.shape[0]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return x Wᵀ + bias, of shape (..., outputs) for x of shape (..., inputs)."""
        return linear(x, self.mantissa, self.exponent, self.bias, self.group_size, self.activations)

    def extra_repr(self) -> str:
        """Describe the layer as nn.Linear does, with what is particular to this one."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}, group_size={self.group_size}, "
            f"activations={self.activations!r}"
        )


def quantize_model_(
    model: nn.Module,
    group_size: int = 32,
    skip: Collection[str] = (),
    activations: Literal["float", "mxint8"] = "float",
) -> nn.Module:
    """Replace every nn.Linear of a model by its MXINT8 form, in place, and return the model.

    One layer after the other, so that at no time two copies of the model are held.  A layer that
    occurs in several places is converted once.  Subclasses of nn.Linear stay: they may compute
    something else.

    Args:
        model: a module that contains linear layers.
        group_size: inputs that share a scale.
        skip: layers to leave alone: those in whose qualified name (such as "classifier" or
            "encoder.layer.0.output.dense") one of these strings occurs; of several names, in any.
        activations: how the layers treat their inputs; see ``mxint_cuda.linear``.

    Raises:
        TypeError: model is no module, skip is a string rather than a collection of them, group_size
            is no int, or a layer's weight is of another type.
        ValueError: model is itself an nn.Linear, which cannot be replaced in place, or group_size,
            activations or a layer's device does not fit.  After an error the model is as it was.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be an nn.Module, not {type(model).__name__}")
    if isinstance(skip, str):
        raise TypeError("skip must be a collection of strings, not one string")
    if isinstance(model, nn.Linear):
        raise ValueError("model must contain nn.Linear layers, not be one: use Linear.from_linear")
    check_group_size(group_size)
    check_activations(activations)
    skipped = {
        id(module)
        for name, module in model.named_modules(remove_duplicate=False)
        if any(part in name for part in skip)
    }
    names = []
    for name, module in model.named_modules():
        if type(module) is nn.Linear and id(module) not in skipped:
            check_tensor(f"{name}.weight", module.weight, *FLOATS)
            check_device(f"{name}.weight", module.weight)
            names.append(name)
    for name in names:
        layer = model.get_submodule(name)
        packed = Linear.from_linear(layer, group_size, activations)  # type: ignore[arg-type]
        _replace(model, layer, packed)
    return model


def _replace(model: nn.Module, old: nn.Module, new: nn.Module) -> None:
    """Put a module into every place where another one is."""
    for parent in model.modules():
        for name, child in list(parent._modules.items()):  # named_children() hides repetitions
            if child is old:
                setattr(parent, name, new)
