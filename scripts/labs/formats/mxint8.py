"""MXINT8 (OCP Microscaling Formats v1.0): 8-bit elements, and a power-of-two scale per group."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import torch

from labs.formats.block_formats import bits_a_value
from labs.formats.blocks import Blocks
from labs.formats.grid import ceil_log2, floor_log2
from labs.formats.names import MASE
from labs.formats.pieces import in_pieces
from labs.formats.quantizer import Quantizer, whole

ELEMENT_BITS, SCALE_BITS = 8, 8
SCALE_BIAS = 127
"""E8M0: codes 0 to 254 stand for 2**-127 to 2**127, code 255 for NaN (section 5.4.1)."""

FRACTION = 2.0**6
"""Elements carry an implicit scale of 2**-6 (section 5.3.5)."""

LARGEST = 127
"""The encoder never emits -128, so that the grid is symmetric."""


@dataclass(frozen=True)
class MXINT8(Quantizer):
    """Groups run along the last dimension; a group that holds inf or NaN becomes NaN.

    MASE rounds the scale up, so that a group's maximum saturates if it is a power of two (erratum
    13); its elements have 7 fractional bits and include -128.
    """

    group_size: int = field(default=32, metadata=whole(1, 2**31))

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the nearest values on each group's grid."""
        groups = Blocks.of(x, self.group_size)
        largest = groups.maxima().double()
        if self.mode == MASE:
            exponent, fraction, least = ceil_log2(largest), 2 * FRACTION, -LARGEST - 1
        else:
            exponent, fraction, least = floor_log2(largest), FRACTION, -LARGEST
        scale = torch.exp2(exponent.clamp(-SCALE_BIAS, SCALE_BIAS))
        step = torch.where(largest.isfinite(), scale / fraction, torch.nan)
        return groups.joined(in_pieces(partial(_nearest, least=least), groups.view, step))

    def bits(self, shape: Sequence[int]) -> float:
        return bits_a_value(ELEMENT_BITS, SCALE_BITS, shape, self.group_size)


def _nearest(view: torch.Tensor, step: torch.Tensor, least: int) -> torch.Tensor:
    """Return the nearest multiples of the steps, which are powers of two or NaN."""
    elements = view.to(torch.float64, copy=True).mul_(1 / step).round_().clamp_(least, LARGEST)
    return elements.mul_(step).to(view.dtype)
