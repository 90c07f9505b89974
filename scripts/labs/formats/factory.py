"""All number formats by name, and quantizers made from configurations."""

from collections.abc import Mapping
from typing import Any

from labs.formats.binary import Binary, BinaryScaling, ResidualSign
from labs.formats.block_formats import BlockFP, BlockLog, BlockMinifloat
from labs.formats.integer import Integer
from labs.formats.logarithmic import Log
from labs.formats.minifloat import MinifloatDenorm, MinifloatIEEE
from labs.formats.mxint8 import MXINT8
from labs.formats.quantizer import Quantizer

QUANTIZERS: dict[str, type[Quantizer]] = {
    "integer": Integer,
    "minifloat_denorm": MinifloatDenorm,
    "minifloat_ieee": MinifloatIEEE,
    "log": Log,
    "block_fp": BlockFP,
    "block_minifloat": BlockMinifloat,
    "block_log": BlockLog,
    "binary": Binary,
    "binary_scaling": BinaryScaling,
    "residual_sign": ResidualSign,
    "mxint8": MXINT8,
}

WEIGHTS_ONLY = ("binary", "binary_scaling")
"""Formats that a layer applies only to its weight, not to its bias and inputs."""


def make_quantizer(config: Mapping[str, Any]) -> Quantizer:
    """Return the quantizer of a configuration such as {"name": "mxint8", "group_size": 32}.

    Keys other than the name are fields of the class in QUANTIZERS.  Raises ValueError, naming the
    key, when one is out of range.
    """
    parameters = dict(config)
    return QUANTIZERS[parameters.pop("name")](**parameters)
