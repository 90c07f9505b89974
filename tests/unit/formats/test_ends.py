"""Where a format and a dtype end: the largest number becomes a value that both have."""

import math
from typing import Any

import numpy as np
import pytest
import torch

from tests.unit.formats.test_minifloat import values_denorm, values_ieee
from tests.unit.formats.values import quantizer


def shared(precision: int) -> np.ndarray:
    """Return the values of so many significant bits, at every power of two of a shared exponent."""
    return np.ldexp(np.arange(2**precision), np.arange(-100, 129)[:, None])


BLOCK = {"width": 8, "block_size": 2}
GRIDS: list[tuple[dict[str, Any], np.ndarray]] = [
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
@pytest.mark.parametrize(("config", "grid"), GRIDS, ids=[config["name"] for config, _ in GRIDS])
def test_the_largest_number_becomes_the_largest_value_of_format_and_dtype(
    config: dict[str, Any], grid: np.ndarray, dtype: torch.dtype
) -> None:
    values = torch.from_numpy(grid).double()
    held = values[(values.to(dtype).double() == values) & (values <= torch.finfo(dtype).max)]
    end = held.max().item()
    for number in (torch.finfo(dtype).max, math.inf):
        assert (
            quantizer(**config)(torch.tensor([number, number], dtype=dtype)).tolist() == [end] * 2
        )


def test_infinity_leaves_the_other_numbers_of_its_block_alone() -> None:
    x = torch.tensor([math.inf, 1000])
    quantize = quantizer("block_log", width=8, exponent_bias_width=8, block_size=2)
    assert quantize(x).tolist() == [2.0**127, 1024]
