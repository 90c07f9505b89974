"""MXINT8 in torch's own operators: what eager torch and torch.compile are given to do."""

import torch


def dequantize(
    mantissa: torch.Tensor, exponent: torch.Tensor, group_size: int, out: torch.Tensor
) -> None:
    """Decode whole groups into ``out``."""
    groups = mantissa.view(-1, group_size).float()
    scale = torch.exp2(exponent.view(-1, 1).float() - 133)
    out.copy_((groups * scale).view_as(out))


def quantize(x: torch.Tensor, group_size: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Encode whole groups of ordinary numbers; return mantissa and exponent."""
    groups = x.view(-1, group_size).float()
    _, above = torch.frexp(groups.abs().amax(dim=1, keepdim=True))
    exponent = above - 1
    mantissa = torch.round(groups * torch.exp2(6.0 - exponent)).clamp(-127, 127)
    columns = x.shape[-1] // group_size
    return (
        mantissa.to(torch.int8).view_as(x),
        (exponent + 127).to(torch.uint8).view(*x.shape[:-1], columns),
    )
