"""The modes in which number formats are computed."""

from __future__ import annotations

NEAREST, MASE = "nearest", "mase"
"""Rounding to the nearest value, and what MASE, the labs' framework, computes, bit for bit."""

ALL_ROWS = "block_fp over all rows"
"""MASE's block_fp with the block size as the lab writes it, [16] (erratum 9)."""

FORMATS = (
    "integer",
    "minifloat_denorm",
    "minifloat_ieee",
    "log",
    "block_fp",
    "block_minifloat",
    "block_log",
    "binary",
    "binary_scaling",
    "residual_sign",
    "mxint8",
)
"""The ten formats of the labs' framework, and MXINT8."""
