"""Exact arithmetic on floating-point grids: exponents without logarithms, ties to even.

All in float64, which holds every step without rounding: float32's values and, for the exponents
that the formats allow, their multiples by powers of two.
"""

from __future__ import annotations

import torch


def floor_log2(x: torch.Tensor) -> torch.Tensor:
    """Return floor(log2(x)) of positive finite numbers, exactly; NaN of NaN."""
    return torch.where(x.isnan(), torch.nan, torch.frexp(x).exponent.double() - 1)


def ceil_log2(x: torch.Tensor) -> torch.Tensor:
    """Return ceil(log2(x)) of positive finite numbers, exactly; NaN of NaN."""
    fraction, exponent = torch.frexp(x)
    return torch.where(x.isnan(), torch.nan, exponent.double() - (fraction == 0.5).double())


def nearest(
    x: torch.Tensor,
    precision: int,
    smallest: int,
    largest: float,
    shift: torch.Tensor | None = None,
) -> torch.Tensor:
    """Return the nearest value of a floating-point grid, ties to even; what is beyond saturates.

    ``precision`` counts the significant bits, the implicit one included.  2**``smallest`` is the
    least value above zero and ``largest`` the greatest.  The whole grid is scaled by 2**``shift``,
    a float64 tensor that broadcasts.
    """
    scale = 1.0 if shift is None else torch.exp2(shift)
    magnitude = (x.double().abs() / scale).clamp(max=largest)
    quantum = torch.exp2((floor_log2(magnitude) - precision + 1).clamp(min=smallest))
    return torch.copysign((magnitude / quantum).round() * quantum * scale, x).to(x.dtype)
