"""The rates at which a GPU runs the kernels whose ceilings are printed."""

import random
from collections.abc import Callable, Iterable
from functools import partial

import torch
from cases import GROUP_SIZE, linear, packed_numbers
from timing import Call, Comparison, measure

import mxint_cuda

SCALAR, VECTORISED, CUTE = 1, 2, 3


def rates(
    titles: Iterable[str],
    device: str,
    elements: int,
    rounds: int,
    seconds: Callable[[Call], float],
) -> list[float]:
    """Return elements a second of the kernels with these titles, by the median of the rounds."""
    made = calls(device, elements)
    chosen = {title: made[title] for title in titles}
    arms = {title: call for title, (call, _) in chosen.items()}
    times = measure(Comparison("kernels", arms), rounds, random.Random(0), seconds)["medians_s"]
    return [handled / times[title] for title, (_, handled) in chosen.items()]


def calls(device: str, elements: int) -> dict[str, tuple[Call, int]]:
    """Return for each title a call that takes the kernel, and how many elements it handles.

    The elements, a multiple of 4096, are decoded and encoded, and are the weight of layers.
    """
    mantissa, exponent, y = packed_numbers(elements, GROUP_SIZE, device)
    moved = torch.empty(elements + 1, dtype=torch.int8, device=device)[1:].view_as(mantissa)
    moved.copy_(mantissa)
    shorter, y_shorter = (tensor[:, :-1].contiguous() for tensor in (mantissa, y))
    decode = partial(torch.ops.mxint_cuda.dequantize_out, group_size=GROUP_SIZE)
    made: dict[str, tuple[Call, int]] = {}
    for title, numbers, algorithm, out in (
        ("", mantissa, VECTORISED, y),
        (", mantissas not aligned", moved, VECTORISED, y),
        (", rows that end in a group", shorter, VECTORISED, y_shorter),
        (", scalar", mantissa, SCALAR, y),
        (", CuTe", mantissa, CUTE, y),
    ):
        call = partial(decode, numbers, exponent, algorithm=algorithm, out=out)
        made[f"dequantize{title}"] = (call, numbers.numel())
    for title, dtype in (("", torch.bfloat16), (" from float32", torch.float32)):
        x = torch.randn_like(mantissa, dtype=dtype)
        call = partial(mxint_cuda.quantize, x, GROUP_SIZE, mxint_cuda.quantize(x, GROUP_SIZE))
        made[f"quantize{title}"] = (call, elements)
    for activations, batches in (("float", (1, 2, 4, 8)), ("mxint8", (1, 2, 4, 8, 16, 32, 64))):
        for batch in batches:
            x = torch.randn(batch, mantissa.shape[1], dtype=torch.bfloat16, device=device)
            call = partial(linear, x, activations, mantissa, exponent)
            made[f'linear "{activations}", batch {batch}'] = (call, elements)
    return made
