"""The attention mask of a model's last call: which positions are tokens, and which padding."""

from typing import Any

import torch
from torch import nn


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
