"""Large tensors, computed in pieces that stay in a processor's cache."""

from __future__ import annotations

from collections.abc import Callable

import torch

PIECE = 2**16
"""Numbers a piece: in float64, with a copy, they fit a core's second-level cache.

A new tensor of many megabytes costs more than a computation on it, since the system clears its
pages; one of a piece's size reuses those of the last piece.
"""


def in_pieces(compute: Callable[..., torch.Tensor], *tensors: torch.Tensor) -> torch.Tensor:
    """Return ``compute(*tensors)`` of tensors with equally many rows (first dimension).

    The computation must treat each row by itself.  A GPU computes whole tensors at once.
    """
    first = tensors[0]
    if first.numel() <= PIECE or first.is_cuda:
        return compute(*tensors)
    rows = max(1, PIECE * len(first) // first.numel())
    pieces = zip(*(tensor.split(rows) for tensor in tensors), strict=True)
    return torch.cat([compute(*piece) for piece in pieces])
