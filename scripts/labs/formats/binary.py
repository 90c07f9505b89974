"""One-bit formats: plain signs, scaled signs, and signs of the residuals of earlier signs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from labs.formats.pieces import in_pieces
from labs.formats.quantizer import NEAREST, Quantizer, StraightThrough, keep_nan, whole

SCALE_BITS = 32


def signs(x: torch.Tensor) -> torch.Tensor:
    """Return +1 where x >= 0, -1 where x < 0, and NaN where x is NaN."""
    return keep_nan(x, torch.where(x >= 0, 1.0, -1.0).to(x.dtype))


def _sign(x: torch.Tensor) -> torch.Tensor:
    return keep_nan(x, x.sign())


@dataclass(frozen=True)
class Binary(Quantizer):
    """Plus or minus one; for weights.  Both modes compute the same."""

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the signs; zero is positive."""
        return signs(x)

    def bits(self, shape: Sequence[int]) -> float:
        return 1


@dataclass(frozen=True)
class BinaryScaling(Quantizer):
    """Signs times the mean magnitude of their output channel (Rastegari et al., 2016).

    There is no MASE mode: MASE's layer of this name has no scale (erratum 10).
    """

    def __post_init__(self) -> None:
        if self.mode != NEAREST:
            raise ValueError(f"mode is {self.mode!r}; binary_scaling allows only {NEAREST!r}")

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return signs times scale; the first dimension is the output channel."""
        others = tuple(range(1, x.dim()))
        # A sum of float32 numbers may be beyond float32.
        mean = x.abs().mean(others, keepdim=True, dtype=torch.float64) if others else x.abs()
        return signs(x) * mean.to(x.dtype)

    def bits(self, shape: Sequence[int]) -> float:
        return 1 + SCALE_BITS / max(1, math.prod(shape[1:]))


@dataclass(frozen=True)
class ResidualSign(Quantizer):
    """The sum of ``levels`` signs, each of the previous one's residual and half as large.

    Two levels have the magnitudes 2/3 and 1/3.  Both modes compute the same.
    """

    levels: int = field(default=2, metadata=whole(1, 8))

    @property
    def means(self) -> list[float]:
        """Return the levels' magnitudes, which sum to one."""
        return [2 ** (self.levels - 1 - n) / (2**self.levels - 1) for n in range(self.levels)]

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """Return the sum; its gradient flows through the clamps and the chain of residuals."""
        return self._sum(x) if x.requires_grad else self.quantize(x)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the sum, without a gradient."""
        return in_pieces(self._sum, x.detach())

    def _sum(self, x: torch.Tensor) -> torch.Tensor:
        total, residual = torch.zeros_like(x), x
        for mean in self.means:
            sign: torch.Tensor = StraightThrough.apply(residual.clamp(-1, 1), _sign)
            total = total + sign * mean
            residual = residual - sign * mean
        return total

    def bits(self, shape: Sequence[int]) -> float:
        return self.levels
