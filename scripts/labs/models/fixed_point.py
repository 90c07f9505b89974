"""Models in fixed point, and their files: the format stands beside the weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from transformers import BertForSequenceClassification

from labs.formats.factory import make_quantizer
from labs.models import classifiers
from labs.models.quantized import quantize_linears
from labs.records.names.quantization import FLOAT32


def quantized(model: BertForSequenceClassification, spelled: str) -> BertForSequenceClassification:
    """Return the model with its linear layers in a format such as 8:4, in place."""
    if spelled != FLOAT32:
        quantize_linears(model, integer(spelled))
    return model


def integer(spelled: str) -> dict[str, Any]:
    """Return the configuration that 8:4 stands for: width and fractional width.

    Raises ValueError for anything that is not such a format.
    """
    width, _, frac_width = spelled.partition(":")
    config = {"name": "integer", "width": int(width), "frac_width": int(frac_width)}
    make_quantizer(config)
    return config


def save(model: BertForSequenceClassification, spelled: str, path: Path) -> None:
    """Write a model in a format, atomically."""
    classifiers.save(model, path, format=spelled)


def load(path: Path) -> BertForSequenceClassification:
    """Return the model that ``save`` wrote, in its format."""
    return quantized(classifiers.load(path), classifiers.metadata(path)["format"])
