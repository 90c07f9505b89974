"""Quantized linear layers: outputs, gradients and bits."""

from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.nn.utils import prune
from torch.nn.utils.parametrize import register_parametrization

from labs.formats.factory import make_quantizer
from labs.models.quantized import QuantizedLinear, average_bits, quantize_linears

INTEGER = {"name": "integer", "width": 8, "frac_width": 4}
BLOCK = {"name": "block_fp", "width": 8, "exponent_width": 8, "block_size": 16}


def model() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 64))


def inputs() -> torch.Tensor:
    return torch.randn(5, 64, generator=torch.Generator().manual_seed(1))


def test_the_output_is_the_product_of_what_quantized_weight_bias_and_inputs_are_now() -> None:
    linear, x = nn.Linear(64, 32), inputs()
    layer, quantize = QuantizedLinear(linear, INTEGER), make_quantizer(INTEGER)
    for _ in range(2):
        expected = quantize(x) @ quantize(linear.weight).T + quantize(linear.bias)
        torch.testing.assert_close(layer(x), expected)
        linear.weight.data.mul_(2)  # which tells nobody


def test_a_first_call_in_inference_mode_leaves_the_weight_its_gradient() -> None:
    linear = nn.Linear(64, 32)
    layer = QuantizedLinear(linear, INTEGER)
    with torch.inference_mode():
        layer(inputs())
    layer(inputs()).sum().backward()
    assert linear.weight.grad is not None and linear.weight.grad.any()


def test_a_layer_without_bias_has_none() -> None:
    layer = QuantizedLinear(nn.Linear(64, 32, bias=False), INTEGER)
    assert layer.bias is None and layer(inputs()).shape == (5, 32)


def test_weights_only_formats_leave_inputs_and_bias_alone() -> None:
    linear, x = nn.Linear(64, 32), inputs()
    signs = torch.where(linear.weight >= 0, 1.0, -1.0)
    expected = x @ signs.T + linear.bias
    torch.testing.assert_close(QuantizedLinear(linear, {"name": "binary"})(x), expected)


def test_parameters_and_names_are_those_of_the_original_layer() -> None:
    original = model()
    state, weights = original.state_dict(), list(original.parameters())
    quantized = quantize_linears(original, INTEGER)
    assert quantized.state_dict().keys() == state.keys()
    pairs = zip(weights, quantized.parameters(), strict=True)
    assert all(before is after for before, after in pairs)


def test_gradients_reach_weight_bias_and_input_as_if_nothing_were_rounded() -> None:
    linear, x = nn.Linear(64, 32), inputs().requires_grad_()
    QuantizedLinear(linear, INTEGER)(x).sum().backward()
    quantize = make_quantizer(INTEGER)
    assert x.grad is not None and linear.weight.grad is not None and linear.bias.grad is not None
    torch.testing.assert_close(x.grad, quantize(linear.weight).sum(0).detach().expand(5, 64))
    of_weight = quantize(x).sum(0).detach().expand(32, 64).contiguous()
    torch.testing.assert_close(linear.weight.grad, of_weight)
    assert (linear.bias.grad == 5).all()


class _Doubled(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 2 * x


COMPUTED: dict[str, Callable[[nn.Module], object]] = {
    "a pruned weight": lambda layer: prune.l1_unstructured(layer, "weight", 0.5),
    "a pruned bias": lambda layer: prune.l1_unstructured(layer, "bias", 0.5),
    "a parametrized weight": lambda layer: register_parametrization(layer, "weight", _Doubled()),
}


@pytest.mark.parametrize("change", COMPUTED.values(), ids=COMPUTED)
def test_what_is_computed_is_refused_beforehand(change: Callable[[nn.Module], object]) -> None:
    changed = model()
    change(changed.get_submodule("2"))
    with pytest.raises(ValueError, match="layer '2': .* pruned or parametrized; .*remove"):
        quantize_linears(changed, INTEGER)
    assert type(changed.get_submodule("0")) is nn.Linear


def test_only_named_layers_are_replaced() -> None:
    quantized = quantize_linears(model(), INTEGER, ["2"])
    assert type(quantized.get_submodule("0")) is nn.Linear
    assert isinstance(quantized.get_submodule("2"), QuantizedLinear)
    with pytest.raises(ValueError, match="'1' is not a linear layer"):
        quantize_linears(model(), INTEGER, ["1"])


def test_average_bits_count_the_width_alone_and_the_shared_exponent() -> None:
    """MASE adds the fractional width: 8/4 counts 12 bits there (erratum 6)."""
    assert average_bits(model()) == 32
    assert average_bits(quantize_linears(model(), INTEGER)) == 8
    assert average_bits(quantize_linears(model(), BLOCK)) == 8.5
    assert average_bits(quantize_linears(model(), INTEGER, ["0"])) == 20
    binary = average_bits(quantize_linears(model(), {"name": "binary"}))
    assert binary == (64 * 64 + 32 * 64) / (64 * 64 + 64)
