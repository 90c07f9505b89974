"""Random batches of reviews of similar lengths, so that little padding is computed."""

from __future__ import annotations

import torch

SORTED_AT_ONCE = 50
"""Batches among which reviews are sorted by length: many enough for little padding, few enough for
an epoch's batches to differ from the last one's."""


def batches(
    lengths: torch.Tensor, batch_size: int, generator: torch.Generator
) -> list[torch.Tensor]:
    """Return an epoch's batches: all indices once, in random batches of similar lengths."""
    found: list[torch.Tensor] = []
    for part in torch.randperm(len(lengths), generator=generator).split(
        batch_size * SORTED_AT_ONCE
    ):
        by_length = part[lengths[part].argsort(stable=True)]
        found += by_length.split(batch_size)
    return [found[place] for place in torch.randperm(len(found), generator=generator)]
