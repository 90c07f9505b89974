"""BERT's last layer for the first tokens of a review alone: a classifier reads no others of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from transformers.models.bert.modeling_bert import BertCrossAttention

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
    """A layer of BERT without the states that nobody reads."""

    def __init__(self, layer: nn.Module) -> None:
        super().__init__()
        self.layer: Any = layer

    def forward(
        self, states: torch.Tensor, mask: torch.Tensor | None, *_: Any, **__: Any
    ) -> torch.Tensor:
        """Return the first tokens' states of shape (n, TOKENS or fewer, features)."""
        attention, first = self.layer.attention, states[:, :TOKENS]
        if mask is not None:
            mask = mask[:, :, :TOKENS]
        # Self attention with the queries of the first tokens alone.
        read = BertCrossAttention.forward(
            attention.self, first, encoder_hidden_states=states, attention_mask=mask
        )[0]
        computed: torch.Tensor = self.layer.feed_forward_chunk(attention.output(read, first))
        return computed
