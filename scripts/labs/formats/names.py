"""The number formats, and the modes in which they are computed."""

from collections.abc import Mapping
from typing import Any

NEAREST, MASE = "nearest", "mase"
"""Rounding to the nearest value, and what MASE, the labs' framework, computes, bit for bit."""

ALL_ROWS = "block_fp over all rows"
"""MASE's block_fp with the block size as the lab writes it, [16] (erratum 9)."""

WIDTH, BLOCK, EXPONENT = 8, 16, 4
FORMATS: Mapping[str, Mapping[str, Any]] = {
    "integer": {"width": WIDTH, "frac_width": WIDTH // 2},
    "minifloat_denorm": {"width": WIDTH, "exponent_width": EXPONENT},
    "minifloat_ieee": {"width": WIDTH, "exponent_width": EXPONENT},
    "log": {"width": WIDTH},
    "block_fp": {"width": WIDTH, "exponent_width": 8, "block_size": [1, BLOCK]},
    "block_minifloat": {
        "width": WIDTH,
        "exponent_width": EXPONENT,
        "exponent_bias_width": 8,
        "block_size": [1, BLOCK],
    },
    "block_log": {"width": WIDTH, "exponent_bias_width": 8, "block_size": [1, BLOCK]},
    "binary": {},
    "binary_scaling": {},
    "residual_sign": {},
    "mxint8": {},
}
"""The ten formats of the labs' framework, and MXINT8, each as the labs configure it: 8 bits where
it has a width."""

FLOAT32 = "float32"
"""What a model is in that is not quantized: a baseline."""


def fixed_point(width: int, fraction: int) -> str:
    """Return a format as it is written: 8:4 has 8 bits, 4 of them fractional."""
    return f"{width}:{fraction}"


def width_of(spelled: str) -> int:
    """Return the width of a format such as 8:4."""
    return 32 if spelled == FLOAT32 else int(spelled.split(":")[0])


def fraction_of(spelled: str) -> int:
    """Return the fractional width of a format such as 8:4."""
    return 0 if spelled == FLOAT32 else int(spelled.split(":")[1])
