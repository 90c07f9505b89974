"""Structured pruning of BERT: removing whole neurons and heads makes the matrices smaller."""

from typing import Any

import torch
from transformers import BertForSequenceClassification
from transformers.pytorch_utils import prune_linear_layer


def shrink(model: BertForSequenceClassification, sparsity: float) -> BertForSequenceClassification:
    """Remove a share of each layer's heads and inner neurons in place; return the model.

    Those with the smallest L1 norms are removed; at least one of each stays.  The model's
    configuration is not updated.
    """
    layers: Any = model.bert.encoder.layer
    for layer in layers:
        inner, outer = layer.intermediate.dense, layer.output.dense
        kept = _strongest(_norms(inner.weight, 0) + _norms(outer.weight, 1), 1, sparsity)
        layer.intermediate.dense = prune_linear_layer(inner, kept)
        layer.output.dense = prune_linear_layer(outer, kept, dim=1)

        attention = layer.attention.self
        head_size = attention.attention_head_size
        parts = {name: getattr(attention, name) for name in ("query", "key", "value")}
        output = layer.attention.output.dense
        norms = sum((_norms(part.weight, 0) for part in parts.values()), _norms(output.weight, 1))
        kept = _strongest(norms, head_size, sparsity)
        for name, part in parts.items():
            setattr(attention, name, prune_linear_layer(part, kept))
        layer.attention.output.dense = prune_linear_layer(output, kept, dim=1)
        attention.num_attention_heads = len(kept) // head_size
        attention.all_head_size = len(kept)
    return model


def _norms(weight: torch.Tensor, dimension: int) -> torch.Tensor:
    """Return the L1 norms of a matrix's rows (dimension 0) or columns (1)."""
    return weight.detach().abs().sum(1 - dimension)


def _strongest(norms: torch.Tensor, size: int, sparsity: float) -> Any:
    """Return the indices to keep, ascending; groups of ``size`` neighbours are removed together."""
    groups = norms.reshape(-1, size)
    count = max(1, round((1 - sparsity) * len(groups)))
    chosen = groups.sum(1).topk(count).indices.sort().values
    return torch.arange(len(norms), device=norms.device).reshape(-1, size)[chosen].flatten()
