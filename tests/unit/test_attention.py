"""What the report says of torch's attention, beside what is measured of it."""

import torch
from torch.nn.attention import sdpa_kernel

from labs.experiments.fusion.attention.observe import BACKENDS, fused, naive


def test_the_unfused_operator_multiplies_float16_in_float32() -> None:
    """So its scores may be larger than float16 can hold; those of naive code may not."""
    query = torch.full((1, 1, 2, 64), 100.0, dtype=torch.float16)
    assert naive(query, query, query).isnan().all()
    with sdpa_kernel(BACKENDS["math"]):
        assert fused(query, query, query).eq(100).all()
