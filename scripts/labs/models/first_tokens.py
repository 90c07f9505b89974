"""BERT's last layer for the first tokens of a review alone: a classifier reads no others of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 8
"""The classifier reads the first. Of fewer than 8 rows, other kernels compute the products, and the
sums may end in other bits (seen on Zen 4)."""


@contextmanager
def first_tokens_alone(model: nn.Module) -> Iterator[None]:
    """Have a BERT's last layer compute the first tokens alone, from the states of all."""
    layers: Any = model.get_submodule("bert.encoder.layer")
    whole = layers[-1]
    layers[-1] = _FirstTokens(whole)
    try:
        yield
    finally:
        layers[-1] = whole


class _FirstTokens(nn.Module):
    """A layer of BERT, in eval mode, without the states that nobody reads."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer: Any = layer

    def forward(
        self, states: torch.Tensor, mask: torch.Tensor | None, *_: Any, **__: Any
    ) -> torch.Tensor:
        """Return the first tokens' states of shape (n, TOKENS or fewer, features)."""
        attention, first = self.layer.attention, states[:, :TOKENS]
        inner = attention.self
        projected = inner.query(first), inner.key(states), inner.value(states)
        query, key, value = (
            x.unflatten(2, (-1, inner.attention_head_size)).transpose(1, 2) for x in projected
        )
        mask = None if mask is None else mask[:, :, :TOKENS]
        read = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        read = attention.output(read.transpose(1, 2).flatten(2), first)
        computed: torch.Tensor = self.layer.feed_forward_chunk(read)
        return computed
