"""Logarithmic numbers: a sign and a power of two.  There is no zero."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from labs.formats.grid import floor_power
from labs.formats.quantizer import (
    MASE,
    NEAREST,
    Quantizer,
    check_bias,
    check_mode,
    check_whole,
    usual_bias,
)

BELOW_ZERO = 0.1
"""Numbers above minus this share of the smallest power count as positive."""


@dataclass(frozen=True)
class Log(Quantizer):
    """A sign and ``width`` - 1 exponent bits.

    The modes differ only in precision: MASE takes the logarithm in x's dtype, "nearest" in float64.
    """

    width: int
    exponent_bias: int | None = None
    mode: str = NEAREST

    def __post_init__(self) -> None:
        check_whole("width", self.width, 2, 32)
        check_bias(self.exponent_bias)
        check_mode(self.mode)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the powers of two nearest in logarithm; zero becomes the smallest."""
        exponent_width = self.width - 1
        bias = usual_bias(exponent_width) if self.exponent_bias is None else self.exponent_bias
        power = mase_power if self.mode == MASE else nearest_power
        return power(x, exponent_width, torch.as_tensor(bias)).to(x.dtype)

    def bits(self, shape: Sequence[int]) -> float:
        """Return the width."""
        return self.width


def nearest_power(x: torch.Tensor, exponent_width: int, bias: torch.Tensor) -> torch.Tensor:
    """Return signed powers of two in float64; there may be one bias per block."""
    bias = bias.double().to(x.device)
    smallest, largest = torch.exp2(-bias), torch.exp2(2.0**exponent_width - 1 - bias)
    magnitude = x.abs().double().add_(BELOW_ZERO * smallest)
    power = floor_power(magnitude)
    # The neighbouring powers are equally near in logarithm at their geometric mean.
    power = torch.where(magnitude > power * math.sqrt(2), power * 2, power)
    power = torch.where(x.isnan(), torch.nan, power.clamp_(smallest, largest))
    return power.copysign_(x + BELOW_ZERO * smallest)


def mase_power(x: torch.Tensor, exponent_width: int, bias: torch.Tensor) -> torch.Tensor:
    """Compute MASE's log_quantizer in x's own precision."""
    lowest = -bias.to(x)
    smallest = BELOW_ZERO * torch.exp2(lowest)
    exponent = torch.log2(x.abs() + smallest).round().clamp(lowest, lowest + 2**exponent_width - 1)
    return torch.sign(x + smallest) * torch.exp2(exponent)
