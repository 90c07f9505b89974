"""Unstructured pruning of linear layers: weights, by torch.nn.utils.prune, or activations.

Weight masks are computed from the current weights and then stay fixed (erratum 5: MASE ranks
weights of an earlier state).
"""

from typing import Literal

import numpy as np
import torch
from torch import nn
from torch.nn.utils import prune

from labs.models.layers import RealTokens, linears

Method = Literal["l1", "random"]
Scope = Literal["local", "global"]

METHODS: dict[str, type[prune.BasePruningMethod]] = {
    "l1": prune.L1Unstructured,
    "random": prune.RandomUnstructured,
}


def prune_weights(
    model: nn.Module, method: Method, sparsity: float, scope: Scope, seed: int
) -> nn.Module:
    """Mask a share of the linear layers' weights, per layer or over all; return the model.

    "l1" masks the smallest magnitudes, "random" a choice drawn from the seed.  Masked weights stay
    zero in training.
    """
    parameters = [(layer, "weight") for layer in linears(model).values()]
    parts = [[parameter] for parameter in parameters] if scope == "local" else [parameters]
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        for part in parts:
            prune.global_unstructured(part, pruning_method=METHODS[method], amount=sparsity)
    return model


def copy_masks(source: nn.Module, model: nn.Module) -> nn.Module:
    """Prune a model with the masks of another that has the same layers; return the model."""
    for name, layer in linears(model).items():
        mask = source.get_submodule(name).get_buffer("weight_mask")
        prune.custom_from_mask(layer, "weight", mask)
    return model


def make_permanent(model: nn.Module) -> nn.Module:
    """Write the masks' zeros into the weights and remove the masks; return the model."""
    for layer in linears(model).values():
        if prune.is_pruned(layer):
            prune.remove(layer, "weight")
    return model


def pruned_share(model: nn.Module) -> float:
    """Return the share of the linear layers' weights that masks hold at zero."""
    masks = [
        dict(layer.named_buffers()).get("weight_mask", torch.ones_like(layer.weight))
        for layer in linears(model).values()
    ]
    return 1 - sum(mask.sum().item() for mask in masks) / sum(mask.numel() for mask in masks)


class ActivationPruning:
    """Sets a share of every linear layer's inputs to zero.

    "l1" takes the smallest magnitudes of each token, and all that equal the largest of them;
    "random" the same features of every token, drawn once from the seed.  A token's result thus
    depends neither on padding nor on the rest of the batch, and calls are repeatable (erratum 5).
    """

    def __init__(self, model: nn.Module, method: Method, sparsity: float, seed: int) -> None:
        self.sparsity = sparsity
        self._kept: dict[nn.Module, torch.Tensor] = {}
        if method == "random":
            generator = torch.Generator().manual_seed(seed)
            for layer in linears(model).values():
                order = torch.randperm(layer.in_features, generator=generator)
                self._kept[layer] = order >= self._dropped(layer)
        for layer in linears(model).values():
            layer.register_forward_pre_hook(self._prune)

    def _dropped(self, layer: nn.Linear) -> int:
        return round(self.sparsity * layer.in_features)

    def _prune(self, layer: nn.Linear, arguments: tuple[torch.Tensor]) -> torch.Tensor:
        (x,) = arguments
        if layer in self._kept:
            return x * self._kept[layer].to(x)
        return x * _mark_largest_(x.detach().abs(), self._dropped(layer))


class ZeroInputs:
    """Counts the zeros among every linear layer's inputs, as pruned so far, at real tokens."""

    def __init__(self, model: nn.Module) -> None:
        self._zeros = self._values = 0
        self._real = RealTokens(model)
        for layer in linears(model).values():
            layer.register_forward_pre_hook(self._count)

    @property
    def share(self) -> float:
        """Return the share of zeros over all calls."""
        return self._zeros / self._values

    def _count(self, _: nn.Module, arguments: tuple[torch.Tensor]) -> None:
        # numpy counts up to ten times faster than torch does on a CPU.
        real = self._real.of(arguments[0]).detach().cpu().numpy()
        self._zeros += real.size - int(np.count_nonzero(real))
        self._values += real.size


def _mark_largest_(magnitudes: torch.Tensor, count: int) -> torch.Tensor:
    """Overwrite the ``count`` smallest numbers of each row, the last dimension, by 0, others by 1.

    Those that equal the largest of them count as smallest, too.
    """
    if count == 0:
        return magnitudes.fill_(1)
    if magnitudes.is_cuda:
        most = magnitudes.kthvalue(count, dim=-1, keepdim=True).values
    else:
        # numpy selects ten times faster than torch does on a CPU.
        ordered = np.partition(magnitudes.numpy(), count - 1, axis=-1)
        most = torch.from_numpy(ordered[..., count - 1 : count])
    # In place: it gives numbers, by which torch multiplies several times faster than by booleans.
    return magnitudes.gt_(most)
