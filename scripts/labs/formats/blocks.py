"""Blocks of a tensor: the parts that share an exponent."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from labs.formats.pieces import in_pieces

Shape = tuple[int, ...]


def block_shape(shape: Sequence[int], block_size: int | Sequence[int]) -> Shape:
    """Return a block's size in each dimension of a tensor of this shape, which has one or more.

    A number, or [1, number], applies to the last dimension.  Other lists follow MASE: they apply to
    the last dimensions, and blocks span the others whole, except for the first of three, the batch.
    So the lab's [16], by which it means [1, 16], is all rows by 16 (erratum 9).
    """
    listed = [1, block_size] if isinstance(block_size, int) else list(block_size)
    if len(listed) == 2 and listed[0] == 1:
        sizes = [1] * (len(shape) - 1) + listed[1:]
    else:
        sizes = ([-1] * len(shape) + listed)[-len(shape) :]
        if len(shape) == 3:
            sizes[0] = 1
    return tuple(
        max(1, n if size == -1 else min(size, n)) for n, size in zip(shape, sizes, strict=True)
    )


def count_blocks(shape: Sequence[int], block_size: int | Sequence[int]) -> int:
    """Return the number of blocks of a tensor of this shape, incomplete ones included."""
    shape = shape or (1,)
    sizes = block_shape(shape, block_size)
    return math.prod(math.ceil(n / size) for n, size in zip(shape, sizes, strict=True))


@dataclass(frozen=True)
class Blocks:
    """A tensor cut into blocks.

    ``view`` has two dimensions for each of the tensor's: the index of the block, and the index
    within it.  Incomplete blocks are padded with zeros.
    """

    view: torch.Tensor
    shape: Shape

    @classmethod
    def of(cls, x: torch.Tensor, block_size: int | Sequence[int]) -> Blocks:
        """Return the blocks of a tensor."""
        shape = tuple(x.shape)
        x = x if shape else x.reshape(1)
        sizes = block_shape(x.shape, block_size)
        missing = [-n % size for n, size in zip(x.shape, sizes, strict=True)]
        # Where nothing is missing, pad would copy.
        gaps = [width for gap in reversed(missing) for width in (0, gap)]
        padded = F.pad(x, gaps) if any(gaps) else x
        split = zip(padded.shape, sizes, strict=True)
        view = padded.reshape([part for n, size in split for part in (n // size, size)])
        return cls(view, shape)

    def maxima(self) -> torch.Tensor:
        """Return each block's largest magnitude, in a shape that broadcasts to the view's."""
        return in_pieces(self._maxima, self.view)

    def finite_maxima(self) -> torch.Tensor:
        """Return them in float64, with the dtype's largest finite number for infinity."""
        return self.maxima().clamp(max=torch.finfo(self.view.dtype).max).double()

    @staticmethod
    def _maxima(view: torch.Tensor) -> torch.Tensor:
        largest = view.abs()
        # Reducing short rows is slow; comparing their halves is not.
        while largest.shape[-1] % 2 == 0:
            largest = torch.maximum(*largest.chunk(2, dim=-1))
        return largest.amax(tuple(range(1, view.dim(), 2)), keepdim=True)

    def joined(self, view: torch.Tensor) -> torch.Tensor:
        """Return a tensor of the original shape from one of the view's."""
        pairs = zip(view.shape[::2], view.shape[1::2], strict=True)
        whole = view.reshape([blocks * size for blocks, size in pairs])
        return whole[tuple(slice(n) for n in self.shape)].reshape(self.shape)


def borrowed(maxima: torch.Tensor) -> torch.Tensor:
    """Return the maxima with zeros replaced by the smallest nonzero one (or 1), as MASE does."""
    if maxima.all():
        return maxima
    present = maxima[maxima != 0]
    return torch.where(maxima == 0, present.min() if present.numel() else 1.0, maxima)
