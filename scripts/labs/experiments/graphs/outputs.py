"""What an exported graph computes, and whether two computations agree in every element."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
import torch.nn.functional as F
from torch import fx
from torch.export import ExportedProgram
from torch.overrides import TorchFunctionMode

Inputs = Mapping[str, torch.Tensor]


def run(program: ExportedProgram, inputs: Inputs) -> torch.Tensor:
    """Return the logits of an exported classifier."""
    logits: torch.Tensor = program.module()(**inputs).logits
    return logits


class Trace(fx.Interpreter):
    """One run of an exported graph, node by node.

    ``values`` holds what each node computes, by its name; ``sharing`` names the nodes whose output
    shares memory with one of their inputs.
    """

    def __init__(self, program: ExportedProgram, inputs: Inputs) -> None:
        super().__init__(program.module())
        self.values: dict[str, Any] = {}
        self.sharing: set[str] = set()
        self.run(*inputs.values())

    def run_node(self, n: fx.Node) -> Any:
        """Return what the node computes."""
        value = self.values[n.name] = super().run_node(n)
        places = {_place(self.values[parent.name]) for parent in n.all_input_nodes}
        if isinstance(value, torch.Tensor) and _place(value) in places:
            self.sharing.add(n.name)
        return value


def _place(value: Any) -> int | None:
    """Return the address of a tensor's storage, None for anything else."""
    return value.untyped_storage().data_ptr() if isinstance(value, torch.Tensor) else None


def differing(first: torch.Tensor, second: torch.Tensor) -> int:
    """Return how many elements of two tensors are not equal; NaN equals nothing.

    Raises ValueError when the shapes differ.
    """
    if first.shape != second.shape:
        raise ValueError(f"shapes differ: {tuple(first.shape)} and {tuple(second.shape)}")
    return int((first != second).sum())


class AttentionMasks(TorchFunctionMode):
    """Counts the calls of fused attention that are given a mask."""

    given = 0

    def __torch_function__(
        self,
        function: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        kwargs = kwargs or {}
        if function is F.scaled_dot_product_attention:
            self.given += kwargs.get("attn_mask") is not None
        return function(*args, **kwargs)
