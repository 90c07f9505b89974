"""BERT's last layer for the first tokens of a review alone: a classifier reads no others of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

TOKENS = 8
"""The classifier reads the first. Of fewer than 8 rows, other kernels compute the products, and the
sums may end in other bits (seen on Zen 4)."""


@contextmanager
def first_tokens_alone(model: nn.Module) -> Iterator[None]:
    """Have a BERT's last layer compute the first tokens alone, from the states of all.

    It is for training as for judging: the gradients are those of the whole layer, but dropout
    draws fewer numbers.
    """
    layers: Any = model.get_submodule("bert.encoder.layer")
    layer = layers[-1]
    if "forward" in vars(layer):  # A model that is judged amid its training.
        yield
        return
    layer.forward = partial(_first_states, layer)
    try:
        yield
    finally:
        del layer.forward


def _first_states(
    layer: Any, states: torch.Tensor, mask: torch.Tensor | None, *_: Any, **__: Any
) -> torch.Tensor:
    """Return a layer's first states, (n, TOKENS or fewer, features), without those nobody reads."""
    attention, first = layer.attention, states[:, :TOKENS]
    inner = attention.self
    projected = inner.query(first), inner.key(states), inner.value(states)
    query, key, value = (
        x.unflatten(2, (-1, inner.attention_head_size)).transpose(1, 2) for x in projected
    )
    mask = None if mask is None else mask[:, :, :TOKENS]
    dropped = inner.dropout.p if inner.training else 0.0
    read = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropped)
    read = attention.output(read.transpose(1, 2).flatten(2), first)
    computed: torch.Tensor = layer.feed_forward_chunk(read)
    return computed
