"""Minifloats: few-bit floating point that saturates, without codes for infinity and NaN."""

from dataclasses import dataclass, field

import torch

from labs.formats.grid import nearest
from labs.formats.quantizer import (
    EXPONENT_BIAS,
    EXPONENT_WIDTH,
    MASE,
    FixedWidth,
    check_whole,
    exponent_bias,
)

TINY = 1e-9
"""MASE adds this to avoid the logarithm of zero."""

CLOSE_TO_ZERO = 1e-8
"""MASE returns magnitudes up to this one unchanged."""


@dataclass(frozen=True)
class _Minifloat(FixedWidth):
    """A sign, ``exponent_width`` exponent bits, and the remaining bits as mantissa."""

    width: int
    exponent_width: int = field(metadata=EXPONENT_WIDTH)
    exponent_bias: int | None = field(default=None, metadata=EXPONENT_BIAS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole("width", self.width, self.exponent_width + 2, 32)

    @property
    def mantissa_width(self) -> int:
        return self.width - self.exponent_width - 1

    @property
    def bias(self) -> int:
        """The exponent bias, subtracted from the stored exponent."""
        return exponent_bias(self.exponent_bias, self.exponent_width)


@dataclass(frozen=True)
class MinifloatDenorm(_Minifloat):
    """Without an implicit leading bit: 2^E m / 2^mb, with m < 2^mb."""

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the nearest values; MASE's do not carry into the exponent (erratum 8)."""
        highest = 2**self.exponent_width - 1 - self.bias
        if self.mode == MASE:
            return _mase_denorm(x, self.mantissa_width, -self.bias, highest)
        # At full precision the leading bit is set: mb significant bits.
        return nearest(
            x,
            precision=self.mantissa_width,
            smallest=-self.bias - self.mantissa_width,
            largest=2.0**highest * (1 - 2.0**-self.mantissa_width),
        )


@dataclass(frozen=True)
class MinifloatIEEE(_Minifloat):
    """With IEEE 754's implicit leading bit, and subnormals at exponent code 0."""

    @property
    def precision(self) -> int:
        """The number of significant bits of normal numbers."""
        return self.mantissa_width + 1

    @property
    def smallest(self) -> int:
        """The exponent of the smallest value above zero."""
        return 1 - self.bias - self.mantissa_width

    @property
    def largest(self) -> float:
        highest = 2**self.exponent_width - 1 - self.bias
        return float(2.0**highest * (2 - 2.0**-self.mantissa_width))

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the nearest values; MASE's do not carry into the exponent (erratum 8)."""
        if self.mode == MASE:
            return self.mase(x, self.bias)
        return nearest(x, self.precision, self.smallest, self.largest)

    def mase(self, x: torch.Tensor, bias: torch.Tensor | int) -> torch.Tensor:
        """Compute MASE's minifloat_ieee_quantizer in x's own precision, with this bias."""
        magnitude, steps = x.abs(), 2.0**self.mantissa_width
        bias = torch.as_tensor(bias, dtype=x.dtype, device=x.device)
        exponent = torch.floor(torch.log2(magnitude + TINY))
        exponent = exponent.clamp(-bias, 2**self.exponent_width - 1 - bias)
        power = torch.exp2(exponent)
        scaled = magnitude / power * steps
        mantissa = torch.where(
            exponent == -bias,
            (scaled / 2).round().clamp(0, steps - 1) / steps * 2,
            1 + (scaled - steps).round().clamp(0, steps - 1) / steps,
        )
        return keep_zeros(x, torch.sign(x + TINY) * power * mantissa)


def _mase_denorm(x: torch.Tensor, mantissa_width: int, lowest: int, highest: int) -> torch.Tensor:
    """Compute MASE's minifloat_denorm_quantizer in x's own precision."""
    magnitude, steps = x.abs(), 2.0**mantissa_width
    power = torch.exp2(torch.ceil(torch.log2(magnitude + TINY)).clamp(lowest, highest))
    mantissa = (magnitude / power * steps).round().clamp(0, steps - 1) / steps
    return keep_zeros(x, torch.sign(x + TINY) * power * mantissa)


def keep_zeros(x: torch.Tensor, quantized: torch.Tensor) -> torch.Tensor:
    """Return the quantized values, but x itself where MASE takes it for zero."""
    return torch.where(x.abs() <= CLOSE_TO_ZERO, x, quantized)
