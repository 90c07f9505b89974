"""Exact arithmetic on floating-point grids: powers of two from the bits, ties to even.

Multiplying or dividing by a power of two is exact unless it over- or underflows.  float32 is wide
enough for most formats; the others, and block-scaled values, are computed in float64.
"""

import math
import struct
from functools import cache

import torch

EXPONENTS = {
    torch.float32: (torch.int32, 0x7F800000),
    torch.float64: (torch.int64, 0x7FF0000000000000),
}
"""The integer type for a dtype's bits, and the mask of its exponent bits."""

CARRY = 2**52 - (struct.unpack("<q", struct.pack("<d", math.sqrt(2)))[0] % 2**52 + 1)
"""Added to the bits of a float64, it carries into the exponent if the number is more than sqrt(2)
times the power of two below it."""

SMALLEST_NORMAL, SMALLEST_SUBNORMAL, LARGEST_EXPONENT = -126, -149, 127
"""Exponents of float32."""

Limit = float | torch.Tensor


def floor_log2(x: torch.Tensor) -> torch.Tensor:
    """Return floor(log2(x)) of positive finite numbers, exactly; NaN of NaN."""
    return torch.where(x.isnan(), torch.nan, torch.frexp(x).exponent.double() - 1)


def ceil_log2(x: torch.Tensor) -> torch.Tensor:
    """Return ceil(log2(x)) of positive finite numbers, exactly; NaN of NaN."""
    fraction, exponent = torch.frexp(x)
    return torch.where(x.isnan(), torch.nan, exponent.double() - (fraction == 0.5).double())


def floor_power(x: torch.Tensor) -> torch.Tensor:
    """Return 2**floor(log2(abs(x))), by clearing all bits of x but its exponent.

    Subnormal numbers give 0; inf and NaN give inf.
    """
    integers, exponent = EXPONENTS[x.dtype]
    return (x.view(integers) & exponent).view(x.dtype)


def round_power_(x: torch.Tensor) -> torch.Tensor:
    """Round positive float64 numbers, in place, to the power of two nearest in logarithm.

    Neighbouring powers are equally near at their geometric mean, sqrt(2) times the lower one; a
    number above it carries into the exponent.  NaN becomes a number.
    """
    bits = x.view(torch.int64)
    bits.add_(CARRY).bitwise_and_(EXPONENTS[torch.float64][1])
    return x


def nearest(x: torch.Tensor, precision: int, smallest: int, largest: float) -> torch.Tensor:
    """Return the nearest values of a floating-point grid, ties to even, saturating.

    ``precision`` is the number of significant bits, the implicit one included; 2**``smallest`` is
    the smallest value above zero and ``largest`` the largest.
    """
    # Where float32 is subnormal, the grid must be too.
    fits = max(SMALLEST_SUBNORMAL, SMALLEST_NORMAL - precision + 1) <= smallest <= LARGEST_EXPONENT
    wide = x.float() if fits and x.element_size() <= 4 else x.double()
    limit = common_end(largest, precision, 2.0**smallest, x.dtype)
    return nearest_between(wide, precision, 2.0**smallest, limit).to(x.dtype)


def nearest_between(
    x: torch.Tensor, precision: int, smallest: Limit, largest: Limit
) -> torch.Tensor:
    """Do what ``nearest`` does, for float32 or float64; the limits may be tensors."""
    within = x.clamp(-largest, largest)  # type: ignore[arg-type]
    quantum = _quantum(within, precision, smallest)
    return within.div_(quantum).round_().mul_(quantum)


@cache
def common_end(largest: float, precision: int, smallest: float, dtype: torch.dtype) -> float:
    """Return the largest value that both a grid and a dtype have.

    The grid's own largest may lie beyond the dtype's, or between two of its numbers; rounding it to
    the dtype would then leave the grid, or the finite numbers.
    """
    return common_ends(
        torch.tensor(largest, dtype=torch.float64), precision, smallest, dtype
    ).item()


def common_ends(
    largest: torch.Tensor, precision: int, smallest: Limit, dtype: torch.dtype
) -> torch.Tensor:
    """Return the same for the grids of several blocks; all limits are float64."""
    info = torch.finfo(dtype)
    within = largest.clamp(max=info.max)
    quantum = _quantum(within, min(precision, 1 - round(math.log2(info.eps))), smallest)
    return within.div_(quantum).floor_().mul_(quantum)


def _quantum(x: torch.Tensor, precision: int, smallest: Limit) -> torch.Tensor:
    """Return the distance of a grid's values where x lies."""
    return floor_power(x).mul_(2.0 ** (1 - precision)).clamp_(min=smallest)
