"""The lab's formulas for MXINT8: every pair decoded, and random numbers encoded."""

from typing import get_args

import torch

from labs.experiments.mxint8.formulas import decoding
from labs.experiments.mxint8.formulas.encoding import Scale, clamp, encode, error, largest_is_power
from labs.experiments.mxint8.names import FORMULA, OUT, PACKAGE, THROUGH_BFLOAT16
from labs.experiments.mxint8.package import dequantize, quantize
from labs.jobs.job import Job
from labs.records.observations import Observations

GROUP_SIZE = 32
NUMBERS = 2**20
POWERS = range(-100, 101)
"""Exponents of the groups' largest magnitudes, where these are powers of two by construction."""


def observe(device: str, seed: int) -> Observations:
    seen = Observations(0)
    torch.manual_seed(seed)
    _observe_pairs(seen, device)
    _observe_encoder(seen, torch.randn(NUMBERS // GROUP_SIZE, GROUP_SIZE), device)
    _observe_scale(seen)
    return seen


def _observe_pairs(seen: Observations, device: str) -> None:
    """Record each decoder's number of wrong pairs, the formula's, and the values at scale one."""
    mantissa, exponent = decoding.every_pair()
    reference = decoding.exact(mantissa, exponent)
    on_device = mantissa.to(device), exponent.to(device)
    out, bias, leading = (words.cpu() for words in decoding.pack(*on_device))
    rows = on_device[0].to(torch.int8), on_device[1][:, :1].to(torch.uint8)
    decoders = {
        OUT: out,
        FORMULA: decoding.formula(*on_device).cpu(),
        PACKAGE: dequantize(*rows, group_size=rows[0].shape[1]).cpu(),
    }
    for arm, values in decoders.items():
        wrong = decoding.differs(values, reference.to(torch.bfloat16))
        seen.fact("pairs", values.numel(), "count", arm)
        seen.fact("wrong pairs", int(wrong.sum()), "count", arm)
        if arm == FORMULA:
            for e, code in wrong.nonzero().tolist():
                m = code + decoding.LOWEST
                case = {"mantissa": m, "exponent": e, "cause": decoding.cause(m, e)}
                seen.fact("wrong pair", str(values[e, code].item()), "text", arm, **case)
    at_one = {"exact": reference, OUT: out, "bias": bias, FORMULA: decoders[FORMULA]}
    for code, needed in enumerate(leading[decoding.UNIT].tolist()):
        case = {"mantissa": code + decoding.LOWEST, "leading": needed}
        for arm, values in at_one.items():
            seen.fact("decoded", values[decoding.UNIT, code].item(), "ratio", arm, **case)


def _observe_encoder(seen: Observations, groups: torch.Tensor, device: str) -> None:
    """Record how many codes change when numbers are rounded to BF16 before they are encoded."""
    mantissas, step = encode(groups)
    for arm, values in ((PACKAGE, groups), (THROUGH_BFLOAT16, groups.bfloat16())):
        mantissa, exponent = (code.cpu() for code in quantize(values.to(device), GROUP_SIZE))
        change = (mantissa - clamp(mantissas)).abs()
        same_scale = decoding.exact(torch.tensor(1), exponent.int()) == step
        difference = dequantize(mantissa, exponent, GROUP_SIZE, torch.float32) - groups
        seen.fact("codes", change.numel(), "count", arm)
        seen.fact("other codes", int((change > 0).sum()), "count", arm)
        seen.fact("off by one", int((change == 1).sum()), "count", arm)
        seen.fact("groups", len(groups), "count", arm)
        seen.fact("other scales", int((~same_scale).sum()), "count", arm)
        seen.fact("error", (difference.norm() / groups.norm()).item(), "share", arm)


def _observe_scale(seen: Observations) -> None:
    """Record what rounding the scale up does where the largest magnitude is a power of two."""
    powers = torch.tensor([2.0**k for k in POWERS], dtype=torch.float64)[:, None]
    # The first element is the largest magnitude of its group: a power of two, and positive.
    groups = (torch.rand(len(POWERS), GROUP_SIZE, dtype=torch.float64) * 1.9 - 0.95) * powers
    groups[:, :1] = powers
    for scale in get_args(Scale):
        largest = encode(groups, scale)[0][:, 0]
        seen.fact("groups", len(POWERS), "count", scale)
        seen.fact("saturated groups", int((largest > 127).sum()), "count", scale)
        seen.fact("error", error(groups, scale), "share", scale)
        largest_alone = ((largest.clamp(max=127) - largest) / largest).abs().max().item()
        seen.fact("error of the largest", largest_alone, "share", scale)
    for dtype in (torch.float32, torch.bfloat16):
        numbers = torch.randn(NUMBERS // GROUP_SIZE, GROUP_SIZE).to(dtype)
        share = largest_is_power(numbers).double().mean().item()
        seen.fact("power of two", share, "share", str(dtype).removeprefix("torch."))


JOB = Job("mxint8_formulas", observe)
