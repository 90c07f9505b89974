"""The bounds that kernels are compared with, measured on the same device in the same job."""

import random
from collections.abc import Callable

import torch

from labs.measure.rounds import interleave
from labs.records.observations import Observations

COPY_BYTES = 256 * 2**20
"""Larger than any cache."""


def observe_copy(seen: Observations, rounds: int, device: str) -> None:
    """Record the time to copy ``COPY_BYTES`` within the device's memory.

    Twice as many bytes are moved: each is read once and written once.
    """
    source = torch.ones(COPY_BYTES // 4, device=device)
    target = torch.empty_like(source)
    timings = interleave({"copy": lambda: target.copy_(source)}, rounds, random.Random(0), device)
    seen.timing("copy", timings["copy"])
    seen.fact("bytes moved", 2 * COPY_BYTES, "bytes", "copy")


def matrix_products(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> Callable[[], object]:
    """Return a call that runs only attention's two matrix products.

    They use torch's kernels at the attention's own shapes and number format, so their rate is what
    a naive implementation would reach if its softmax were free.
    """
    weights = torch.softmax(query @ key.transpose(-2, -1), -1)
    return lambda: (query @ key.transpose(-2, -1), weights @ value)
