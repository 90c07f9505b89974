"""Architectures of BERT-tiny's kind: built from named choices, started from given word embeddings.

An architecture is a mapping from parameters to choices, both of them texts, as a study keeps them.
A parameter is a field of BertConfig, or one or more kinds of square linear layers, joined by "+",
each of which is left as it is or replaced by the identity: "value" in all layers of the encoder,
"0.value" in its first one.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from torch import nn
from transformers import BertForSequenceClassification

from labs.files import reading
from labs.models import classifiers
from labs.records.names.search import FIELDS, IDENTITY, LINEAR, Architecture

PLACES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "output": "attention.output.dense",
    "pooler": "pooler.dense",
}
"""Where the linear layers stand that are square whatever the sizes are. At some sizes others are
square as well; the identity in their place would take the activation function out of the network,
and is not offered."""

WEIGHTS = "model.safetensors"
WORDS_OF_ENCODER = "embeddings.word_embeddings.weight"


def build(architecture: Architecture, seed: int) -> BertForSequenceClassification:
    """Return a classifier of this architecture with random weights.

    A choice for a layer that the architecture does not have changes nothing. Raises ValueError for
    a choice that is none.
    """
    fields = {name: int(choice) for name, choice in architecture.items() if name in FIELDS}
    model = classifiers.bert_tiny(seed, **fields)
    for name, choice in architecture.items():
        if name not in FIELDS:
            for place, one in zip(name.split("+"), choice.split("+"), strict=True):
                _choose(model, place, one)
    return model


def word_embeddings(encoder: Path) -> torch.Tensor:
    """Return the word embeddings of a pretrained encoder, turned so that the first columns matter.

    They are the same vectors in the basis of their principal components (by singular value
    decomposition), largest first: the first n columns are their best approximation by n numbers.
    Each is a row of a (words, columns) tensor.
    """
    path = encoder / WEIGHTS
    with reading(path, SafetensorError), safe_open(path, framework="pt") as file:
        words = file.get_tensor(WORDS_OF_ENCODER).double()
    # The right singular vectors are the eigenvectors of a matrix that is small.
    _, directions = torch.linalg.eigh(words.T @ words)
    turned: torch.Tensor = words @ directions.flip(1)
    return turned.float()


def start_from(model: BertForSequenceClassification, words: torch.Tensor) -> None:
    """Set a model's word embeddings to the first columns of ``word_embeddings``.

    Where the model is wider, the rest of its columns stay random.
    """
    own = model.bert.embeddings.word_embeddings.weight
    columns = min(own.shape[1], words.shape[1])
    with torch.no_grad():
        own[:, :columns] = words[:, :columns]


def replaceable(model: nn.Module) -> list[str]:
    """Return the names of the linear layers that may be replaced by the identity."""
    return [name for name, _ in model.named_modules() if name.endswith(tuple(PLACES.values()))]


def _choose(model: nn.Module, place: str, choice: str) -> None:
    """Leave the linear layers at a place, or replace them by the identity."""
    layer, _, kind = place.rpartition(".")
    if choice not in (LINEAR, IDENTITY) or kind not in PLACES:
        raise ValueError(f"{place} cannot be {choice!r}")
    if choice == IDENTITY:
        end = f".{layer}.{PLACES[kind]}" if layer else PLACES[kind]
        for name in replaceable(model):
            if name.endswith(end):
                model.set_submodule(name, nn.Identity())
