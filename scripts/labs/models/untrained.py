"""Models built from configurations, with random weights.

Neither times nor graphs depend on the weights' values, so nothing is downloaded.
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import nn
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    ResNetConfig,
    ResNetForImageClassification,
)

LABELS = 2


class Logits(nn.Module):
    """A transformers classifier that returns only its logits tensor."""

    def __init__(self, classifier: nn.Module) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return logits of shape (batch, classes)."""
        logits: torch.Tensor = self.classifier(inputs).logits
        return logits


def resnet18(depths: Sequence[int]) -> nn.Module:
    """Return a ResNet with basic blocks; depths (2, 2, 2, 2) make it ResNet-18 (He et al., 2015).

    Its input is float32 of shape (batch, 3, height, width), its output (batch, 1000).
    """
    stages = len(depths)
    config = ResNetConfig(
        layer_type="basic",
        depths=list(depths),
        embedding_size=64,
        hidden_sizes=[64 * 2**stage for stage in range(stages)],
    )
    config.num_labels = 1000
    return Logits(ResNetForImageClassification(config))


def bert_tiny(**changes: int) -> BertForSequenceClassification:
    """Return BERT-tiny as a classifier; ``changes`` override its configuration.

    It has 2 layers of hidden size 128, 2 heads, an intermediate size of 512, and the vocabulary of
    bert-base-uncased. It takes input_ids and, optionally, attention_mask and labels; it returns
    transformers' output, with logits of shape (batch, 2) and, given labels, a loss.
    """
    sizes: dict[str, Any] = {
        "hidden_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 512,
        "num_labels": LABELS,
    }
    return BertForSequenceClassification(BertConfig(**(sizes | changes)))


def images(batch_size: int, image_size: int) -> torch.Tensor:
    """Return standard normal images of shape (batch size, 3, image size, image size)."""
    return torch.randn(batch_size, 3, image_size, image_size)


def tokens(batch_size: int, sequence_length: int) -> torch.Tensor:
    """Return random token ids of shape (batch size, sequence length)."""
    return torch.randint(0, 30522, (batch_size, sequence_length))
