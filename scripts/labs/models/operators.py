"""What a model computes, operator by operator."""

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode

from labs.data.reviews import Batch

Operator = tuple[str, tuple[tuple[int, ...], ...]]
"""The name of an operator, and the shapes of its arguments."""


@torch.no_grad()
def operators(model: nn.Module, batch: Batch) -> list[Operator]:
    """Return the operators that a classifier runs at inference, in their order."""
    recorder = _Operators()
    with recorder:
        model.eval()(batch.tokens, attention_mask=batch.mask)
    return recorder.operators


class _Operators(TorchDispatchMode):
    def __init__(self) -> None:
        super().__init__()
        self.operators: list[Operator] = []

    def __torch_dispatch__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> Any:
        shapes = tuple(tuple(arg.shape) for arg in args if isinstance(arg, torch.Tensor))
        self.operators.append((str(func), shapes))
        return func(*args, **(kwargs or {}))
