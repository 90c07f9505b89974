"""Modules: a linear layer with a packed weight, and the conversion of whole models."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection
from typing import Any, Literal

import torch
from torch import nn

from mxint_cuda.arguments import (
    FLOATS,
    check_activations,
    check_device,
    check_group_size,
    check_tensor,
)
from mxint_cuda.functional import dequantize, linear, quantize


class Linear(nn.Module):
    """A linear layer whose weight is MXINT8, in the buffers ``mantissa`` and ``exponent``.

    The buffers move, save, load and copy with the module; ``.to(dtype)`` leaves them as they are.
    The weight is frozen; the bias is the layer's own.  A state holds the group size too, and does
    not load into a layer of another one.
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
        self.register_parameter("bias", bias)
        dtype = torch.float32 if bias is None else bias.dtype
        self._hold(mantissa, exponent, dtype, group_size, activations)

    def _hold(
        self,
        mantissa: torch.Tensor,
        exponent: torch.Tensor,
        dtype: torch.dtype,
        group_size: int,
        activations: Literal["float", "mxint8"],
    ) -> None:
        self.register_buffer("mantissa", mantissa)
        self.register_buffer("exponent", exponent)
        self.dtype = dtype
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

        Within torch's encoders use ``quantize_model_``, which keeps them from multiplying with the
        layer's ``weight`` by themselves.  Raises TypeError when ``layer`` is no nn.Linear; see also
        ``mxint_cuda.quantize``.
        """
        if not isinstance(layer, nn.Linear):
            raise TypeError(f"layer must be an nn.Linear, not {type(layer).__name__}")
        mantissa, exponent = quantize(layer.weight.detach(), group_size)
        module = cls(mantissa, exponent, layer.bias, group_size, activations)
        module.dtype = layer.weight.dtype
        return module.train(layer.training)

    @property
    def weight(self) -> torch.Tensor:
        """The weight in the layer's dtype, decoded anew each time it is read."""
        return dequantize(self.mantissa, self.exponent, self.group_size, self.dtype)

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

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Linear:
        self.dtype = fn(torch.empty(0, dtype=self.dtype)).dtype  # as that of a parameter
        super()._apply(fn, recurse)
        return self

    def get_extra_state(self) -> torch.Tensor:
        """Return the group size, as a tensor, since some file formats hold nothing else."""
        return torch.tensor(self.group_size)

    def set_extra_state(self, state: torch.Tensor) -> None:
        """Do nothing: it was compared before the buffers were loaded."""

    def _load_from_state_dict(self, state: dict[str, Any], prefix: str, *others: Any) -> None:
        size = state.get(f"{prefix}_extra_state", self.group_size)
        if size != self.group_size:
            raise ValueError(f"group_size must be {size}, as in the state, not {self.group_size}")
        super()._load_from_state_dict(state, prefix, *others)

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
    """Turn every nn.Linear of a model into a Linear, in place, and return the model.

    The modules stay the same objects, with their hooks, and layers that shared a weight share the
    packed one.  They are converted one after the other, so that at no time two copies of the model
    are held.  Subclasses of nn.Linear stay: they may compute something else.  torch's encoders no
    longer take their fused path, which calls no layers.

    Args:
        model: a linear layer, or a module that contains some.
        group_size: inputs that share a scale.
        skip: layers to leave alone: those in whose qualified name (such as "classifier" or
            "encoder.layer.0.output.dense") one of these strings occurs; of several names, in any.
        activations: how the layers treat their inputs; see ``mxint_cuda.linear``.

    Raises:
        TypeError: model is no module, skip is a string rather than a collection of them, group_size
            is no int, or a layer's weight is of another type or computed by a hook.
        ValueError: group_size, activations or a layer's device does not fit.

    After an error the model is as it was.
    """
    if not isinstance(model, nn.Module):
        raise TypeError(f"model must be an nn.Module, not {type(model).__name__}")
    if isinstance(skip, str):
        raise TypeError("skip must be a collection of strings, not one string")
    check_group_size(group_size)
    check_activations(activations)
    skipped = {
        id(module)
        for name, module in model.named_modules(remove_duplicate=False)
        if any(part in name for part in skip)
    }
    sharing: dict[int, list[Any]] = defaultdict(list)
    for name, module in model.named_modules():
        if type(module) is nn.Linear and id(module) not in skipped:
            what = f"{name}.weight".lstrip(".")
            check_tensor(what, module.weight, *FLOATS)
            check_device(what, module.weight)
            if not isinstance(module.weight, nn.Parameter):
                raise TypeError(f"{what} must be a parameter, not what a hook computes")
            sharing[id(module.weight)].append(module)
    for layers in sharing.values():
        weight = layers[0].weight
        packed = quantize(weight.detach(), group_size)
        for layer in layers:
            del layer.weight
            layer.__class__ = Linear
            layer._hold(*packed, weight.dtype, group_size, activations)
    for module in model.modules():
        if isinstance(module, nn.TransformerEncoderLayer) and _has_packed(module):
            module.activation_relu_or_gelu = 0  # another, with which torch does not fuse
        if isinstance(module, nn.TransformerEncoder) and _has_packed(module):
            module.use_nested_tensor = False  # which only fused layers take
    return model


def _has_packed(module: nn.Module) -> bool:
    return any(isinstance(part, Linear) for part in module.modules())
