"""What the compression labs quantize and prune of a model: linear layers, and what enters them."""

from typing import Any

import torch
from torch import nn


def linears(model: nn.Module) -> dict[str, nn.Linear]:
    """Return the model's linear layers by name, quantized ones included."""
    return {name: m for name, m in model.named_modules() if isinstance(m, nn.Linear)}


class RealTokens:
    """Remembers the attention mask of a model's last call, for hooks on its layers."""

    def __init__(self, model: nn.Module) -> None:
        self._mask: torch.Tensor | None = None
        model.register_forward_pre_hook(self._remember, with_kwargs=True)

    def of(self, x: torch.Tensor) -> torch.Tensor:
        """Return the real tokens, (n, features), of x of shape (batch, length, features).

        A tensor without a length dimension (after pooling) is returned whole.
        """
        return x[self._mask] if x.dim() == 3 else x

    def _remember(self, _model: nn.Module, _words: Any, keywords: dict[str, Any]) -> None:
        self._mask = keywords["attention_mask"].bool()
