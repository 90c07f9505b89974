"""Models in fixed point, and their files, which hold the format beside the weights."""

from pathlib import Path
from typing import Any

from transformers import BertForSequenceClassification

from labs.experiments.compression.quantization.names import FLOAT32
from labs.formats.factory import make_quantizer
from labs.models import classifiers
from labs.models.quantized import quantize_linears


def quantized(model: BertForSequenceClassification, spelled: str) -> BertForSequenceClassification:
    """Quantize the model's linear layers in place to a format such as 8:4; return the model."""
    if spelled != FLOAT32:
        quantize_linears(model, integer(spelled))
    return model


def integer(spelled: str) -> dict[str, Any]:
    """Return the configuration of a format written as width:fractional width, such as 8:4.

    Raises ValueError for anything else.
    """
    width, _, frac_width = spelled.partition(":")
    config = {"name": "integer", "width": int(width), "frac_width": int(frac_width)}
    make_quantizer(config)
    return config


def save(model: BertForSequenceClassification, spelled: str, path: Path) -> None:
    """Write a model and its format, atomically."""
    classifiers.save(model, path, format=spelled)


def load(path: Path) -> BertForSequenceClassification:
    """Return the model that ``save`` wrote, in its format."""
    return quantized(classifiers.load(path), classifiers.metadata(path)["format"])
