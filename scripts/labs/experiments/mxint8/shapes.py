"""DeBERTa classifiers in the lab's shapes, with random weights: bytes do not depend on values."""

from typing import Any

import torch
from torch import nn
from transformers import (
    DebertaConfig,
    DebertaForSequenceClassification,
    DebertaV2Config,
    DebertaV2ForSequenceClassification,
)

LABELS = 6
"""The emotions that the lab's classifiers distinguish."""

COMMON: dict[str, Any] = {
    "relative_attention": True,
    "position_biased_input": False,
    "num_labels": LABELS,
}
SHAPES: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "deberta-xlarge": (
        DebertaForSequenceClassification,
        DebertaConfig,
        {
            "hidden_size": 1024,
            "num_hidden_layers": 48,
            "num_attention_heads": 16,
            "intermediate_size": 4096,
            "pos_att_type": ["c2p", "p2c"],
        },
    ),
    "deberta-v3-small": (
        DebertaV2ForSequenceClassification,
        DebertaV2Config,
        {
            "hidden_size": 768,
            "num_hidden_layers": 6,
            "num_attention_heads": 12,
            "intermediate_size": 3072,
            "pos_att_type": ["p2c", "c2p"],
            "position_buckets": 256,
            "norm_rel_ebd": "layer_norm",
            "share_att_key": True,
        },
    ),
}
"""The model that the lab measures, and the smaller one that it names for smaller GPUs."""

BLOCK = 2**16
"""Random numbers that all weights are filled with repeatedly: drawing each one takes long."""


def build(name: str, device: str) -> nn.Module:
    """Return a model in float32, in eval() mode, its weights filled with small random numbers.

    On the device "meta" it has shapes but no memory.
    """
    architecture, config, sizes = SHAPES[name]
    with torch.device("meta"):
        model: nn.Module = architecture(config(**COMMON, **sizes)).eval()
    if device == "meta":
        return model
    block = torch.randn(BLOCK, device=device) * 0.02
    model.to_empty(device=device)
    with torch.no_grad():
        for parameter in model.parameters():
            flat = parameter.view(-1)
            for part in flat.split(BLOCK):
                part.copy_(block[: len(part)])
        for buffer_name, buffer in model.named_buffers():
            if not buffer_name.endswith("position_ids"):
                raise ValueError(f"{name} has a buffer that is not known here: {buffer_name}")
            buffer.copy_(torch.arange(buffer.numel()).view_as(buffer))
    return model
