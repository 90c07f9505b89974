"""Architectures of BERT-tiny's kind, built from named choices.

An architecture is a mapping from parameters to choices, both of them texts, as a study keeps them.
A parameter is a field of BertConfig, or one or more kinds of square linear layers, joined by "+",
each of which is left as it is or replaced by the identity: "value" in all layers of the encoder,
"0.value" in its first one.
"""

from torch import nn
from transformers import BertForSequenceClassification

from labs.experiments.search.names import FIELDS, IDENTITY, LINEAR, Architecture
from labs.models import classifiers

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


def build(architecture: Architecture, seed: int) -> BertForSequenceClassification:
    """Return a classifier of this architecture with random weights.

    A choice for a layer that the architecture does not have changes nothing. Raises ValueError for
    an unknown choice.
    """
    fields = {name: int(choice) for name, choice in architecture.items() if name in FIELDS}
    model = classifiers.bert_tiny(seed, **fields)
    for name, choice in architecture.items():
        if name not in FIELDS:
            for place, layer in zip(name.split("+"), choice.split("+"), strict=True):
                _choose(model, place, layer)
    return model


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
