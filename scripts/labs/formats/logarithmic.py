"""Logarithmic numbers: a sign and a power of two.  There is no zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch

from labs.formats.grid import round_power_
from labs.formats.pieces import in_pieces
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
        compute = partial(power, bias=torch.as_tensor(bias), exponent_width=exponent_width)
        return in_pieces(compute, x)

    def bits(self, shape: Sequence[int]) -> float:
        """Return the width."""
        return self.width


def nearest_power(x: torch.Tensor, bias: torch.Tensor, exponent_width: int) -> torch.Tensor:
    """Return signed powers of two in x's dtype; there may be one bias per block."""
    bias = bias.double().to(x.device)
    smallest, largest = torch.exp2(-bias), torch.exp2(2.0**exponent_width - 1 - bias)
    power = x.to(torch.float64, copy=True).abs_().add_(BELOW_ZERO * smallest)
    round_power_(power.clamp_(min=smallest).clamp_(max=largest))
    shifted = x + BELOW_ZERO * smallest
    power.copysign_(shifted)
    # Its bits say no more that x is NaN; zero times x does.
    return power.add_(shifted.clamp_(-1, 1).mul_(0)).to(x.dtype)


def mase_power(x: torch.Tensor, bias: torch.Tensor, exponent_width: int) -> torch.Tensor:
    """Compute MASE's log_quantizer in x's own precision."""
    lowest = -bias.to(x)
    smallest = BELOW_ZERO * torch.exp2(lowest)
    exponent = torch.log2(x.abs() + smallest).round().clamp(lowest, lowest + 2**exponent_width - 1)
    return torch.sign(x + smallest) * torch.exp2(exponent)
