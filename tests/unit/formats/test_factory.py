"""What all formats share: the factory's errors, gradients, shapes, idempotence, pieces and ends."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from labs.formats.factory import QUANTIZERS, WEIGHTS_ONLY, make_quantizer
from labs.formats.names import FORMATS
from labs.formats.pieces import PIECE
from tests.unit.formats.test_scalar import values_denorm, values_ieee
from tests.unit.formats.values import awkward, quantizer

CONFIGS = [{"name": name, **config} for name, config in FORMATS.items()]
GRIDS = [config for config in CONFIGS if config["name"] != "binary_scaling"]
"""Formats that leave their own values unchanged; binary_scaling computes its mean again."""

IDS = [config["name"] for config in CONFIGS]


def test_every_format_is_tested() -> None:
    assert list(QUANTIZERS) == IDS


@pytest.mark.parametrize("config", CONFIGS, ids=IDS)
def test_a_result_has_the_shape_and_dtype_of_x_and_leaves_it_alone(config: dict[str, Any]) -> None:
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


IN_MODES = [
    {**config, "mode": mode}
    for config in CONFIGS
    for mode in ("nearest", "mase")
    if (config["name"], mode) != ("binary_scaling", "mase")
]
NAMES_IN_MODES = [f"{config['name']}-{config['mode']}" for config in IN_MODES]


@pytest.mark.parametrize("config", CONFIGS, ids=IDS)
def test_a_format_too_wide_for_float16_works(config: dict[str, Any]) -> None:
    widest = {key: {"width": 32, "exponent_bias_width": 16}.get(key, config[key]) for key in config}
    x = torch.tensor([[1.0, -0.3]], dtype=torch.float16)
    assert quantizer(**widest)(x).isfinite().all()


@pytest.mark.parametrize("config", IN_MODES, ids=NAMES_IN_MODES)
def test_nan_stays_nan(config: dict[str, Any]) -> None:
    x = torch.tensor([[1.0, float("nan"), 2.0]])
    assert quantizer(**config)(x)[0, 1].isnan()


@pytest.mark.parametrize("config", IN_MODES, ids=NAMES_IN_MODES)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0), (0, 3), (2, 0, 3)])
def test_one_and_no_number_are_tensors_too(config: dict[str, Any], shape: tuple[int, ...]) -> None:
    quantize = quantizer(**config)
    assert quantize(torch.ones(shape)).shape == shape
    assert quantize.bits(shape) >= 1


WRONG: list[tuple[dict[str, Any], str]] = [
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
    ({"name": "block_log", "width": 8, "exponent_bias_width": 0, "block_size": 16}, "bias_width"),
    ({"name": "residual_sign", "levels": 0}, "levels is 0"),
    ({"name": "mxint8", "group_size": -32}, "group_size is -32"),
]


@pytest.mark.parametrize(("config", "words"), WRONG, ids=lambda value: str(value)[:60])
def test_a_wrong_parameter_is_named(config: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_quantizer(config)


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in WEIGHTS_ONLY])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_large_tensor_is_quantized_as_its_rows_are(name: str, dtype: torch.dtype) -> None:
    x = torch.randn(5, PIECE // 128, 40, generator=torch.Generator().manual_seed(0)).to(dtype)
    kept = x.clone()
    found = quantizer(name, **FORMATS[name])
    whole = found.quantize(x)
    assert whole.dtype == dtype
    assert torch.equal(whole, torch.cat([found.quantize(row) for row in x.split(1)]))
    assert torch.equal(x, kept)


def shared(precision: int) -> np.ndarray:
    """Return the values of so many significant bits, at every power of two of a shared exponent."""
    return np.ldexp(np.arange(2**precision), np.arange(-100, 129)[:, None])


BLOCK = {"width": 8, "block_size": 2}
ENDS: list[tuple[dict[str, Any], np.ndarray]] = [
    ({"name": "integer", "width": 12, "frac_width": 4}, np.arange(2**11) / 2**4),
    ({"name": "integer", "width": 12, "frac_width": -8}, np.arange(2**11) * 2**8),
    ({"name": "integer", "width": 27, "frac_width": 10}, (2**26 - np.arange(1, 2**20)) / 2**10),
    ({"name": "minifloat_ieee", "width": 8, "exponent_width": 5}, values_ieee(8, 5, 15)),
    ({"name": "minifloat_ieee", "width": 16, "exponent_width": 8}, values_ieee(16, 8, 127)),
    ({"name": "minifloat_denorm", "width": 14, "exponent_width": 4}, values_denorm(14, 4, 7)),
    ({"name": "log", "width": 8}, np.exp2(np.arange(-63, 65))),
    ({"name": "log", "width": 9}, np.exp2(np.arange(-127, 129))),
    ({"name": "block_fp", "exponent_width": 8, **BLOCK}, shared(7)),
    (
        {"name": "block_minifloat", "exponent_width": 4, "exponent_bias_width": 8, **BLOCK},
        shared(4),
    ),
    ({"name": "block_log", "exponent_bias_width": 8, **BLOCK}, shared(1)),
]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32])
@pytest.mark.parametrize(("config", "grid"), ENDS, ids=[config["name"] for config, _ in ENDS])
def test_the_largest_number_becomes_the_largest_value_of_format_and_dtype(
    config: dict[str, Any], grid: np.ndarray, dtype: torch.dtype
) -> None:
    values = torch.from_numpy(grid).double()
    held = values[(values.to(dtype).double() == values) & (values <= torch.finfo(dtype).max)]
    end = held.max().item()
    for number in (torch.finfo(dtype).max, math.inf):
        x = torch.tensor([number, number], dtype=dtype)
        assert quantizer(**config)(x).tolist() == [end] * 2


def test_infinity_leaves_the_other_numbers_of_its_block_alone() -> None:
    x = torch.tensor([math.inf, 1000])
    quantize = quantizer("block_log", width=8, exponent_bias_width=8, block_size=2)
    assert quantize(x).tolist() == [2.0**127, 1024]
