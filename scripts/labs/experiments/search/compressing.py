"""The compression of the lab's tutorial: all linear layers quantized and half of them pruned."""

from torch import nn

from labs.formats.factory import make_quantizer
from labs.models.layers import linears
from labs.models.pruned import ActivationPruning, prune_weights
from labs.models.quantized import quantize_linears

FORMAT = {"name": "integer", "width": 8, "frac_width": 4}
"""Of inputs, weights and biases."""

SPARSITY = 0.5
"""The share of weights, and of every layer's inputs, that are set to zero: the smallest."""


def compress(model: nn.Module, seed: int) -> None:
    """Quantize and prune a model in place; what is trained afterwards stays quantized and pruned.

    The weights that are pruned are fixed here, the inputs are those of each token.
    """
    quantize_linears(model, FORMAT)
    prune_weights(model, "l1", SPARSITY, "local", seed)
    ActivationPruning(model, "l1", SPARSITY, seed)


def rounded_to_zero(model: nn.Module) -> float:
    """Return the share of the linear layers' weights that quantization alone sets to zero."""
    quantizer = make_quantizer(FORMAT)
    weights = [layer.weight.detach() for layer in linears(model).values()]
    left = sum(quantizer.quantize(weight).count_nonzero().item() for weight in weights)
    return 1 - left / sum(weight.numel() for weight in weights)
