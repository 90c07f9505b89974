"""Formats in which a block of values shares an exponent."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import torch

from labs.formats.blocks import Blocks, borrowed, count_blocks
from labs.formats.grid import ceil_log2, common_end, common_ends, floor_log2, nearest_between
from labs.formats.logarithmic import mase_power, nearest_power
from labs.formats.minifloat import TINY, MinifloatIEEE, keep_zeros
from labs.formats.pieces import in_pieces
from labs.formats.quantizer import (
    EXPONENT_BIAS,
    EXPONENT_WIDTH,
    MASE,
    SHARED_WIDTH,
    Quantizer,
    exponent_bias,
    whole,
)

BlockSize = int | Sequence[int]


def bits_a_value(
    width: int, shared_width: int, shape: Sequence[int], block_size: BlockSize
) -> float:
    """Return the mean bits per value, shared bits included."""
    return width + shared_width * count_blocks(shape, block_size) / max(1, math.prod(shape))


@dataclass(frozen=True)
class _Blocked(Quantizer):
    block_size: BlockSize


@dataclass(frozen=True)
class BlockFP(_Blocked):
    """A sign and ``width`` - 1 mantissa bits per value, times one power of two per block."""

    width: int = field(metadata=whole(2, 32))
    exponent_width: int = field(metadata=EXPONENT_WIDTH)
    exponent_bias: int | None = field(default=None, metadata=EXPONENT_BIAS)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the nearest multiples of each block's step, saturated."""
        blocks = Blocks.of(x, self.block_size)
        if self.mode == MASE:
            return keep_zeros(x, blocks.joined(self._mase(blocks)))
        # A larger maximum saturates, since the value above is not in the dtype.
        top = common_end(math.inf, self.width - 1, 0.0, x.dtype)
        largest = blocks.finite_maxima().clamp(max=top)
        # From half a step below 2^E on, a maximum is rounded out of range.
        exponent = floor_log2(largest / (1 - 2.0**-self.width)) + 1
        step = torch.exp2(self._clamped(exponent)) / self._steps
        return blocks.joined(in_pieces(self._nearest, blocks.view, step))

    def _nearest(self, view: torch.Tensor, step: torch.Tensor) -> torch.Tensor:
        """Return the nearest multiples of the steps, which are powers of two."""
        largest = (self._steps - 1) * step
        most = common_ends(largest, self.width - 1, step, view.dtype) / step
        whole = view.to(torch.float64, copy=True).mul_(1 / step).round_().clamp_(-most, most)
        return whole.mul_(step).to(view.dtype)

    def _mase(self, blocks: Blocks) -> torch.Tensor:
        """Compute MASE's block_fp_quantizer in the tensor's own precision."""
        exponent = torch.ceil(torch.log2(borrowed(blocks.maxima())))
        power = torch.exp2(self._clamped(exponent))
        scaled = (blocks.view.abs() + TINY) / power * self._steps
        mantissa = scaled.round().clamp(0, self._steps - 1) / self._steps
        return torch.sign(blocks.view + TINY) * power * mantissa

    @property
    def _steps(self) -> float:
        return 2.0 ** (self.width - 1)

    def _clamped(self, exponent: torch.Tensor) -> torch.Tensor:
        bias = exponent_bias(self.exponent_bias, self.exponent_width)
        return exponent.clamp(-bias, 2**self.exponent_width - 1 - bias)

    def bits(self, shape: Sequence[int]) -> float:
        return bits_a_value(self.width, self.exponent_width, shape, self.block_size)


@dataclass(frozen=True)
class BlockMinifloat(_Blocked):
    """IEEE minifloats times one power of two per block (Fox et al., ICLR 2021)."""

    width: int
    exponent_width: int = field(metadata=EXPONENT_WIDTH)
    exponent_bias_width: int = field(metadata=SHARED_WIDTH)

    def __post_init__(self) -> None:
        super().__post_init__()
        # Making the format checks both widths.
        _ = self.element

    @property
    def element(self) -> MinifloatIEEE:
        """The format of a value, before its block's power of two."""
        return MinifloatIEEE(width=self.width, exponent_width=self.exponent_width)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the nearest values of the grid, shifted to just cover each block's maximum.

        MASE's bias has the wrong sign: it shifts the grid the other way (erratum 7).
        """
        blocks, element = Blocks.of(x, self.block_size), self.element
        if self.mode == MASE:
            exponent = torch.floor(torch.log2(borrowed(blocks.maxima())))
            inverted = exponent.clamp(0, 2**self.exponent_bias_width - 1)
            return blocks.joined(element.mase(blocks.view, inverted))
        reach = 2 ** (self.exponent_bias_width - 1)
        shift = ceil_log2(blocks.finite_maxima() / element.largest).clamp(-reach, reach - 1)
        return blocks.joined(in_pieces(self._nearest, blocks.view, torch.exp2(shift)))

    def _nearest(self, view: torch.Tensor, scale: torch.Tensor) -> torch.Tensor:
        """Return the nearest values of the grid times the scales, which are powers of two."""
        precision, smallest = self.element.precision, 2.0**self.element.smallest
        largest = self.element.largest * scale
        limit = common_ends(largest, precision, smallest * scale, view.dtype) / scale
        scaled = view.to(torch.float64, copy=True).mul_(1 / scale)
        values = nearest_between(scaled, precision, smallest, limit)
        return values.mul_(scale).to(view.dtype)

    def bits(self, shape: Sequence[int]) -> float:
        return bits_a_value(self.width, self.exponent_bias_width, shape, self.block_size)


@dataclass(frozen=True)
class BlockLog(_Blocked):
    """Logarithmic numbers with one exponent bias per block.  The modes differ as Log's do."""

    width: int = field(metadata=whole(2, 32))
    exponent_bias_width: int = field(metadata=SHARED_WIDTH)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return nearest powers of two; the bias fits the top exponent to the block's maximum."""
        blocks, exponent_width = Blocks.of(x, self.block_size), self.width - 1
        if self.mode == MASE:
            highest, power = torch.ceil(torch.log2(borrowed(blocks.maxima()))), mase_power
        else:
            highest, power = ceil_log2(borrowed(blocks.finite_maxima())), nearest_power
        bias = (2**exponent_width - 1 - highest).clamp(0, 2**self.exponent_bias_width - 1)
        compute = partial(power, exponent_width=exponent_width)
        return blocks.joined(in_pieces(compute, blocks.view, bias))

    def bits(self, shape: Sequence[int]) -> float:
        return bits_a_value(self.width, self.exponent_bias_width, shape, self.block_size)
