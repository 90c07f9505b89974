"""Encoding as MXINT8 in float64: the reference, and the scale that MASE chooses instead.

OCP Microscaling v1.0, section 6.3: a group's scale is the power of two at or below its largest
magnitude, and a step of the mantissa is 1/64 of it.  MASE's quantizer takes the power of two at or
above it, and a step of 1/128: the same, unless the largest magnitude is a power of two.
"""

from typing import Literal

import torch

Scale = Literal["floor", "ceil"]
BITS = {"floor": 6, "ceil": 7}
"""Fractional bits of a mantissa."""

LARGEST = 127


def encode(groups: torch.Tensor, scale: Scale = "floor") -> tuple[torch.Tensor, torch.Tensor]:
    """Return unclamped mantissas, float64 of shape (groups, size), and the step.

    ``groups`` must be finite, and none all zero; the step, of shape (groups, 1), is the value of a
    mantissa of one.
    """
    values = groups.double()
    fraction, exponent = torch.frexp(values.abs().amax(-1, keepdim=True))
    # max = fraction * 2^exponent, with fraction from 0.5 to below 1
    power = exponent - 1 if scale == "floor" else exponent - (fraction == 0.5).int()
    step = torch.ldexp(torch.ones_like(fraction), power - BITS[scale])
    return (values / step).round(), step


def clamp(mantissas: torch.Tensor, scale: Scale = "floor") -> torch.Tensor:
    """Return mantissas as they are stored: MASE allows -128, the reference does not."""
    return mantissas.clamp(-LARGEST - (scale == "ceil"), LARGEST)


def largest_is_power(groups: torch.Tensor) -> torch.Tensor:
    """Return which groups have a power of two as their largest magnitude."""
    return torch.frexp(groups.abs().amax(-1)).mantissa == 0.5


def error(groups: torch.Tensor, scale: Scale) -> float:
    """Return the root mean square, over groups, of the error relative to the group's own norm."""
    mantissas, step = encode(groups, scale)
    values = groups.double()
    difference = clamp(mantissas, scale) * step - values
    relative = difference.square().sum(-1) / values.square().sum(-1)
    return relative.mean().sqrt().item()
