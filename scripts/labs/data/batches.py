"""Random batches of reviews of similar length, which need little padding."""

import torch

SORTED_AT_ONCE = 50
"""Batches whose reviews are sorted together by length: enough for little padding, few enough for
batches to differ between epochs."""


def batches(
    lengths: torch.Tensor, batch_size: int, generator: torch.Generator
) -> list[torch.Tensor]:
    """Return an epoch's batches of indices: each index once, similar lengths together."""
    found: list[torch.Tensor] = []
    for part in torch.randperm(len(lengths), generator=generator).split(
        batch_size * SORTED_AT_ONCE
    ):
        by_length = part[lengths[part].argsort(stable=True)]
        found += by_length.split(batch_size)
    return [found[place] for place in torch.randperm(len(found), generator=generator)]
