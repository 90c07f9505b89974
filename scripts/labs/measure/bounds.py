"""The bounds a kernel is held against, measured on the same device in the same job."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch

from labs.measure.rounds import interleave
from labs.records.observations import Observations

COPY_BYTES = 256 * 2**20
"""Larger than any cache that a kernel could profit from."""


def observe_copy(seen: Observations, rounds: int, device: str) -> None:
    """Keep the time of copying ``COPY_BYTES`` within the device's memory, threads as set.

    The bytes moved are twice that: each is read once and written once.
    """
    source = torch.ones(COPY_BYTES // 4, device=device)
    target = torch.empty_like(source)
    timings = interleave({"copy": lambda: target.copy_(source)}, rounds, random.Random(0), device)
    seen.timing("copy", timings["copy"])
    seen.fact("bytes moved", 2 * COPY_BYTES, "bytes", "copy")


def matrix_products(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor
) -> Callable[[], object]:
    """Return a call that runs attention's two matrix products and nothing else.

    They use torch's own kernels at the shapes and the number format of the attention itself, so
    their rate is what a naive implementation could reach if its softmax were free.
    """
    weights = torch.softmax(query @ key.transpose(-2, -1), -1)
    return lambda: (query @ key.transpose(-2, -1), weights @ value)
