"""Models in fixed point, and their files, which hold the format beside the weights."""

from pathlib import Path

from transformers import BertForSequenceClassification

from labs.formats.configurations import configuration
from labs.formats.names import FLOAT32
from labs.models import classifiers
from labs.models.quantized import quantize_linears


def quantized(model: BertForSequenceClassification, spelled: str) -> BertForSequenceClassification:
    """Quantize the model's linear layers in place to a format such as 8:4; return the model.

    8:4 is 8 bits, 4 of them fractional.
    """
    if spelled != FLOAT32:
        quantize_linears(model, configuration(f"integer {spelled}"))
    return model


def save(model: BertForSequenceClassification, spelled: str, path: Path) -> None:
    """Write a model and its format, atomically."""
    classifiers.save(model, path, format=spelled)


def load(path: Path) -> BertForSequenceClassification:
    """Return the model that ``save`` wrote, in its format."""
    return quantized(classifiers.load(path), classifiers.metadata(path)["format"])
