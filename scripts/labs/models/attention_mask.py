"""Which positions of a batch are tokens, and which are padding: seen as a model is called."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn


class RealTokens:
    """Remembers the attention mask of a model's last call, for hooks within it."""

    def __init__(self, model: nn.Module) -> None:
        self._mask: torch.Tensor | None = None
        self._handle = model.register_forward_pre_hook(self._remember, with_kwargs=True)

    def of(self, x: torch.Tensor) -> torch.Tensor:
        """Return (n, features) of the real tokens of (batch, length, features).

        What has no positions any more, after the pooling, is all real.
        """
        return x[self._mask] if x.dim() == 3 else x

    def remove(self) -> None:
        """Remember no more."""
        self._handle.remove()

    def _remember(self, _model: nn.Module, _words: Any, keywords: dict[str, Any]) -> None:
        self._mask = keywords["attention_mask"].bool()
