"""What all formats share: the factory's errors, gradients, shapes, and idempotence."""

from typing import Any

import pytest
import torch

from labs.formats.factory import QUANTIZERS, make_quantizer
from labs.formats.names import FORMATS
from tests.unit.formats.values import awkward, quantizer

CONFIGS = [{"name": name, **config} for name, config in FORMATS.items()]
GRIDS = [config for config in CONFIGS if config["name"] != "binary_scaling"]
"""Formats that leave their own values unchanged; binary_scaling computes its mean again."""

IDS = [config["name"] for config in CONFIGS]


def test_every_format_is_tested() -> None:
    assert list(QUANTIZERS) == IDS


@pytest.mark.parametrize("config", CONFIGS, ids=IDS)
def test_the_result_has_the_shape_and_dtype_of_x_and_leaves_it_alone(
    config: dict[str, Any],
) -> None:
    for dtype in (torch.float32, torch.bfloat16, torch.float64):
        x = torch.randn(3, 50, dtype=dtype)
        before = x.clone()
        result = quantizer(**config)(x)
        assert (result.shape, result.dtype) == (x.shape, dtype)
        assert torch.equal(x, before)


@pytest.mark.parametrize("mode", ["nearest", "mase"])
@pytest.mark.parametrize("config", CONFIGS, ids=IDS)
def test_the_gradient_is_the_identity(config: dict[str, Any], mode: str) -> None:
    """Also for numbers that saturate, for zero, and in MASE mode (erratum 7)."""
    if config["name"] == "residual_sign" or (config["name"], mode) == ("binary_scaling", "mase"):
        pytest.skip("has a special gradient or set of modes")
    x = torch.tensor([[0.0, 1e9, -1e9, 0.3, -0.3, 1e-30]], requires_grad=True)
    weight = torch.arange(1.0, 7.0)
    (quantizer(**config, mode=mode)(x) * weight).sum().backward()
    assert x.grad is not None and torch.equal(x.grad[0], weight)


@pytest.mark.parametrize("config", GRIDS, ids=[config["name"] for config in GRIDS])
def test_a_grids_own_values_are_unchanged(config: dict[str, Any]) -> None:
    x = torch.tensor(awkward())
    x = x[: len(x) // 32 * 32].reshape(-1, 32)
    quantize = quantizer(**config)
    once = quantize(x)
    assert torch.equal(quantize(once), once)


ONE_FORMULA = ("integer", "binary", "binary_scaling", "residual_sign", "mxint8")
"""Formats whose mode does not change the dtype in which they are computed."""

IN_MODES = [
    {**config, "mode": mode}
    for config in CONFIGS
    for mode in ("nearest", "mase")
    if (config["name"], mode) != ("binary_scaling", "mase")
]
NAMES_IN_MODES = [f"{config['name']}-{config['mode']}" for config in IN_MODES]


@pytest.mark.parametrize("config", IN_MODES, ids=NAMES_IN_MODES)
def test_a_format_too_wide_for_float16_works_or_says_so(config: dict[str, Any]) -> None:
    """MASE computes with the steps of a mantissa, or the bias of a logarithm, in float16 itself."""
    widest = {key: {"width": 32, "exponent_bias_width": 16}.get(key, config[key]) for key in config}
    x = torch.tensor([[1.0, -0.3]], dtype=torch.float16)
    if config["mode"] == "nearest" or config["name"] in ONE_FORMULA:
        assert quantizer(**widest)(x).isfinite().all()
    else:
        with pytest.raises(ValueError, match="mode 'mase' .* beyond torch.float16"):
            quantizer(**widest)(x)


@pytest.mark.parametrize("config", IN_MODES, ids=NAMES_IN_MODES)
def test_nan_stays_nan(config: dict[str, Any]) -> None:
    x = torch.tensor([[1.0, float("nan"), 2.0]])
    assert quantizer(**config)(x)[0, 1].isnan()


@pytest.mark.parametrize("config", IN_MODES, ids=NAMES_IN_MODES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 3), (2, 0, 3)])
def test_a_single_number_and_no_number_are_tensors_too(
    config: dict[str, Any], shape: tuple[int, ...]
) -> None:
    quantize = quantizer(**config)
    assert quantize(torch.ones(shape)).shape == shape
    assert quantize.bits(shape) >= 1


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"name": "int8"}, "name is 'int8'"),
    ({}, "name is None"),
    ({"name": "integer", "width": 8}, "frac_width"),
    ({"name": "integer", "width": 8, "frac_width": 4, "bits": 3}, "bits"),
    ({"name": "integer", "width": 1, "frac_width": 4}, "width is 1"),
    ({"name": "integer", "width": 8.0, "frac_width": 4}, "width is 8.0"),
    ({"name": "integer", "width": True, "frac_width": 4}, "width is True"),
    ({"name": "integer", "width": 8, "frac_width": 4, "mode": "fast"}, "mode is 'fast'"),
    ({"name": "minifloat_ieee", "width": 5, "exponent_width": 4}, "width is 5"),
    ({"name": "minifloat_denorm", "width": 8, "exponent_width": 0}, "exponent_width is 0"),
    (
        {"name": "minifloat_ieee", "width": 8, "exponent_width": 4, "exponent_bias": "none"},
        "exponent_bias is 'none'",
    ),
    ({"name": "log", "width": 1}, "width is 1"),
    ({"name": "block_fp", "width": 8, "exponent_width": 8, "block_size": 0}, "block_size is 0"),
    ({"name": "block_fp", "width": 8, "exponent_width": 8, "block_size": []}, "block_size is"),
    ({"name": "block_log", "width": 8, "exponent_bias_width": 0, "block_size": 16}, "bias_width"),
    ({"name": "residual_sign", "levels": 0}, "levels is 0"),
    ({"name": "mxint8", "group_size": -32}, "group_size is -32"),
]


@pytest.mark.parametrize(("config", "words"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_parameter_is_named(config: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_quantizer(config)
