"""LoRA's adapters, as peft adds them and as MASE's insertion pass does."""

from collections.abc import Iterator
from contextlib import contextmanager

import peft
import torch
from torch import nn

from labs.models.classifiers import MeanPooled

MASE_ALPHA = 0.5
"""The default alpha of MASE's insertion pass, which does not read the labs' name for it."""


def with_adapters(
    model: MeanPooled, seed: int, rank: int, alpha: int, dropout: float
) -> peft.PeftModel:
    """Return the model with LoRA adapters beside every linear layer of its encoder.

    Their outputs are scaled by alpha / rank. The adapters and the head are trained, all else is
    frozen. One matrix of each adapter starts at 0, so its output does too; the seed decides the
    other matrix.
    """
    config = peft.LoraConfig(
        r=rank,
        lora_alpha=alpha,
        lora_dropout=dropout,
        target_modules=["query", "key", "value", "dense"],
        modules_to_save=["classifier"],
    )
    with _drawing_from(seed):
        adapted = peft.get_peft_model(model, config)
    assert isinstance(adapted, peft.PeftModel)
    return adapted


def without_biases(model: MeanPooled) -> MeanPooled:
    """Return the model with the biases of its linear layers set to 0."""
    for layer in model.modules():
        if isinstance(layer, nn.Linear) and layer.bias is not None:
            nn.init.zeros_(layer.bias)
    return model


def as_mase_adapts(model: MeanPooled, rank: int, seed: int) -> MeanPooled:
    """Return the model as MASE's insertion pass leaves it, before any training.

    The pass keeps the weights and drops the biases; both matrices of an adapter start random, so
    its output is not 0. It reads ``lora_alpha`` and ``lora_dropout``; the labs pass ``alpha`` and
    ``dropout``, which it ignores.
    """
    without_biases(model)
    with _drawing_from(seed):
        for layer in model.modules():
            if isinstance(layer, nn.Linear):
                down = nn.Linear(layer.in_features, rank, bias=False).weight.to(layer.weight)
                up = nn.Linear(rank, layer.out_features, bias=False).weight.to(layer.weight)
                layer.weight.data += MASE_ALPHA / rank * up.data @ down.data
    return model


@contextmanager
def _drawing_from(seed: int) -> Iterator[None]:
    """Draw from the seed alone, so that an arm starts the same whatever ran or was restored."""
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield
