"""Decoding MXINT8: the exact value of a code, and what the lab's formula makes of it.

A code is worth ``mantissa / 64 * 2^(exponent - 127)`` (OCP Microscaling v1.0, section 5.2).  The
lab's formula packs it into the fields of a BF16 number, and subtracts ``bias`` where the bit of
|mantissa| that is worth one is not set.
"""

import math

import torch

from labs.experiments.mxint8 import names
from labs.experiments.mxint8.names import LOWEST

LEADING, FRACTION = 0x40, 0x3F
"""The bit of |mantissa| with the value one, and the six below it."""

UNIT, NAN = 127, 255
"""The exponents of the scale one and of NaN."""

_SCALES = torch.tensor([math.ldexp(1.0, e - UNIT - 6) for e in range(NAN)] + [math.nan]).double()


def every_pair() -> tuple[torch.Tensor, torch.Tensor]:
    """Return int32 mantissas and exponents of shape (256, 256): one row per exponent, ascending."""
    codes = torch.arange(256, dtype=torch.int32)
    return (codes + LOWEST).expand(256, 256), codes[:, None].expand(256, 256)


def exact(mantissa: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor:
    """Return the values of codes in float64, which holds each of them; NaN for exponent 255."""
    return mantissa.double() * _SCALES[exponent]


def pack(
    mantissa: torch.Tensor, exponent: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return ``out`` and ``bias`` as the lab packs them, as BF16, and ``dont_need_abs``.

    |-128| is 128, as in the lab's C++, whose ``abs`` returns an int.
    """
    magnitude = mantissa.abs()
    bias = (mantissa & 0x80) << 8 | exponent << 7
    out = bias | (magnitude & FRACTION) << 1
    return _bfloat16(out), _bfloat16(bias), (magnitude & LEADING).bool()


def formula(mantissa: torch.Tensor, exponent: torch.Tensor) -> torch.Tensor:
    """Return what the lab's formula gives for codes, in BF16."""
    out, bias, leading = pack(mantissa, exponent)
    return torch.where(leading, out, out - bias)


def differs(values: torch.Tensor, reference: torch.Tensor) -> torch.Tensor:
    """Return where two tensors hold different numbers; NaN equals NaN."""
    values, reference = values.double(), reference.double()
    return (values != reference) & ~(values.isnan() & reference.isnan())


def cause(mantissa: int, exponent: int) -> str:
    """Return why the formula decodes a pair wrongly."""
    if exponent == 0:
        return names.NO_IMPLICIT_ONE
    if exponent == NAN:
        return names.INFINITY
    return names.EIGHT_BITS if mantissa == LOWEST else names.UNEXPLAINED


def _bfloat16(words: torch.Tensor) -> torch.Tensor:
    """Return the BF16 numbers whose bits are the low 16 of each word."""
    signed = torch.where(words < 0x8000, words, words - 0x10000)
    return signed.to(torch.int16).view(torch.bfloat16)
