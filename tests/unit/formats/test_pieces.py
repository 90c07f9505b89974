"""Quantizing a large tensor in pieces: nothing but the time changes."""

import pytest
import torch

from labs.formats.factory import WEIGHTS_ONLY
from labs.formats.names import FORMATS
from labs.formats.pieces import PIECE, in_pieces
from tests.unit.formats.values import quantizer


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in WEIGHTS_ONLY])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_a_large_tensor_is_quantized_as_its_rows_are(name: str, dtype: torch.dtype) -> None:
    x = torch.randn(5, PIECE // 128, 40, generator=torch.Generator().manual_seed(0)).to(dtype)
    kept = x.clone()
    found = quantizer(name, **FORMATS[name])
    whole = found.quantize(x)
    assert whole.dtype == dtype
    assert torch.equal(whole, torch.cat([found.quantize(row) for row in x.split(1)]))
    assert torch.equal(x, kept)


def test_pieces_are_whole_rows_and_keep_their_order() -> None:
    seen = []

    def doubled(x: torch.Tensor, row: torch.Tensor) -> torch.Tensor:
        seen.append(len(x))
        return 2 * x + row

    x, row = torch.ones(5, PIECE // 2), torch.arange(5.0)[:, None]
    assert torch.equal(in_pieces(doubled, x, row), 2 * x + row)
    assert seen == [2, 2, 1]
