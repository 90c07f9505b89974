"""What eight chains said of how far chains differ. Written by tests/method/learn_chains.py."""

from typing import NamedTuple


class Learned(NamedTuple):
    """Of a kind of comparison."""

    share: float
    """The standard deviation between chains, as a share of the answers in which models differ."""
    freedom: float
    """How many degrees of freedom this knowledge is worth."""


LEARNED = {
    "base_model, far apart": Learned(0.36, 7.0),
    "formats": Learned(0.001, 7.0),
    "formats, far apart": Learned(0.03, 1.0),
    "lora": Learned(0.001, 7.0),
    "mxint8_accuracy": Learned(0.71, 7.0),
    "precision": Learned(0.092, 5.8),
    "precision, far apart": Learned(0.1, 1.0),
    "pruning": Learned(0.11, 2.9),
    "pruning, far apart": Learned(0.058, 1.0),
    "quantization": Learned(0.077, 7.0),
    "quantization, far apart": Learned(0.029, 1.0),
    "search": Learned(0.073, 7.0),
    "search, far apart": Learned(0.072, 5.8),
}
