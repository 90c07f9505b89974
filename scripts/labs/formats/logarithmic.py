"""Logarithmic numbers: a sign and a power of two.  There is no zero."""

import math
from dataclasses import dataclass, field
from functools import partial

import torch

from labs.formats.grid import common_end, round_power_
from labs.formats.pieces import in_pieces
from labs.formats.quantizer import EXPONENT_BIAS, MASE, FixedWidth, exponent_bias

BELOW_ZERO = 0.1
"""Numbers above minus this share of the smallest power count as positive."""


@dataclass(frozen=True)
class Log(FixedWidth):
    """A sign and ``width`` - 1 exponent bits.

    The modes differ only in precision: MASE takes the logarithm in x's dtype, "nearest" in float64.
    """

    exponent_bias: int | None = field(default=None, metadata=EXPONENT_BIAS)

    def quantize(self, x: torch.Tensor) -> torch.Tensor:
        """Return the powers of two nearest in logarithm; zero becomes the smallest."""
        bias = exponent_bias(self.exponent_bias, self.width - 1)
        return in_pieces(partial(self._power, bias=torch.as_tensor(bias)), x)

    def _power(self, x: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        if self.mode == MASE:
            return mase_power(x, bias, self.width - 1)
        # Rounding to a power loses NaN; zero times x restores it.
        return nearest_power(x, bias, self.width - 1).add_(x.clamp(-1, 1).mul_(0))


def nearest_power(x: torch.Tensor, bias: torch.Tensor, exponent_width: int) -> torch.Tensor:
    """Return signed powers of two, in x's dtype; there may be one bias per block.

    NaN becomes a power, too, unless its bias is NaN.
    """
    bias = bias.double().to(x.device)
    smallest, largest = torch.exp2(-bias), torch.exp2(2.0**exponent_width - 1 - bias)
    top = common_end(math.inf, 1, 0.0, x.dtype)
    power = x.to(torch.float64, copy=True).abs_().add_(BELOW_ZERO * smallest)
    round_power_(power).clamp_(min=smallest).clamp_(max=largest.clamp(max=top))
    return power.copysign_(x + BELOW_ZERO * smallest).to(x.dtype)


def mase_power(x: torch.Tensor, bias: torch.Tensor, exponent_width: int) -> torch.Tensor:
    """Compute MASE's log_quantizer in x's own precision."""
    lowest = -bias.to(x)
    smallest = BELOW_ZERO * torch.exp2(lowest)
    exponent = torch.log2(x.abs() + smallest).round().clamp(lowest, lowest + 2**exponent_width - 1)
    return torch.sign(x + smallest) * torch.exp2(exponent)
