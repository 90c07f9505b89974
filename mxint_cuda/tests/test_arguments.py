"""Whatever is passed in: a defined result, or an error that names the argument."""

from typing import Any

import pytest
import torch
from conftest import devices
from hypothesis import given, settings
from hypothesis import strategies as st
from reference import FLOATS
from torch import nn
from torch.nn.utils import prune

from mxint_cuda import Linear, dequantize, linear, quantize, quantize_model_

MANTISSA = torch.zeros(4, 40, dtype=torch.int8)
EXPONENT = torch.zeros(4, 2, dtype=torch.uint8)
X = torch.zeros(3, 40)
NEGATED = torch.zeros(4, 40, dtype=torch.complex64).conj().imag
EXPANDED = torch.zeros(1, 40).expand(4, 40)


def nested() -> torch.Tensor:
    """Rows of different numbers."""
    return torch.nested.nested_tensor([X, X[:1]])


def pruned() -> nn.Linear:
    """A layer whose weight is computed by a hook."""
    layer = nn.Linear(2, 2)
    prune.identity(layer, "weight")
    return layer


@pytest.mark.parametrize(
    ("error", "name", "call"),
    [
        (TypeError, "x", lambda: quantize([1.0])),
        (TypeError, "x", lambda: quantize(torch.zeros(4, dtype=torch.float64))),
        (TypeError, "x", lambda: quantize(torch.zeros(4).to_sparse())),
        (ValueError, "x", lambda: quantize(torch.tensor(1.0))),
        (TypeError, "group_size", lambda: quantize(X, 32.0)),
        (TypeError, "group_size", lambda: quantize(X, True)),
        (ValueError, "group_size", lambda: quantize(X, 0)),
        (ValueError, "group_size", lambda: quantize(X, 2**63)),
        (TypeError, "out", lambda: quantize(X, out=MANTISSA)),
        (TypeError, "out", lambda: quantize(X, out=(MANTISSA, MANTISSA, EXPONENT))),
        (TypeError, "out", lambda: quantize(X, out=(X, EXPONENT))),
        (ValueError, "out", lambda: quantize(X, out=(MANTISSA, EXPONENT))),
        (TypeError, "mantissa", lambda: dequantize(X, EXPONENT)),
        (TypeError, "exponent", lambda: dequantize(MANTISSA, MANTISSA)),
        (ValueError, "exponent", lambda: dequantize(MANTISSA, EXPONENT[:, :1])),
        (ValueError, "exponent", lambda: dequantize(MANTISSA, EXPONENT, 8)),
        (TypeError, "dtype", lambda: dequantize(MANTISSA, EXPONENT, 32, torch.int8)),
        (TypeError, "out", lambda: dequantize(MANTISSA, EXPONENT, out=X)),
        (ValueError, "out", lambda: dequantize(MANTISSA, EXPONENT, dtype=X.dtype, out=X)),
        (ValueError, "exponent", lambda: dequantize(MANTISSA, EXPONENT.to("meta"))),
        (ValueError, "out", lambda: dequantize(MANTISSA, EXPONENT, dtype=X.dtype, out=NEGATED)),
        (ValueError, "out", lambda: dequantize(MANTISSA, EXPONENT, dtype=X.dtype, out=EXPANDED)),
        (ValueError, "out", lambda: quantize(EXPANDED, out=(MANTISSA[:1].expand(4, 40), EXPONENT))),
        (ValueError, "out", lambda: quantize(EXPANDED, out=(torch._neg_view(MANTISSA), EXPONENT))),
        (TypeError, "x", lambda: quantize(nested())),
        (TypeError, "x", lambda: linear(nested(), MANTISSA, EXPONENT)),
        (ValueError, "x", lambda: linear(torch.tensor(1.0), MANTISSA, EXPONENT)),
        (ValueError, "mantissa", lambda: linear(X.to("meta"), MANTISSA, EXPONENT)),
        (ValueError, "x", lambda: linear(X[:, :39], MANTISSA, EXPONENT)),
        (ValueError, "mantissa", lambda: linear(X, MANTISSA[0], EXPONENT[0])),
        (TypeError, "bias", lambda: linear(X, MANTISSA, EXPONENT, torch.zeros(4).int())),
        (ValueError, "bias", lambda: linear(X, MANTISSA, EXPONENT, torch.zeros(5))),
        (ValueError, "activations", lambda: linear(X, MANTISSA, EXPONENT, activations="int8")),
        (TypeError, "layer", lambda: Linear.from_linear(nn.ReLU())),
        (TypeError, "skip", lambda: quantize_model_(nn.Sequential(), skip="head")),
        (TypeError, r"0\.weight", lambda: quantize_model_(nn.Sequential(pruned()))),
        (TypeError, "^weight", lambda: quantize_model_(nn.Linear(2, 2).double())),
    ],
)
@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_a_wrong_argument_is_named(error: type[Exception], name: str, call: Any) -> None:
    with pytest.raises(error, match=rf"^{name} must"):
        call()


MEMORY = (torch.arange(512) % 64).to(torch.uint8)


def part(start: int, length: int, dtype: torch.dtype = torch.int8) -> torch.Tensor:
    """A part of one piece of memory, from that byte on."""
    return MEMORY[start : start + length * dtype.itemsize].view(dtype)


def encoded(mantissa: int, exponent: int) -> tuple[torch.Tensor, torch.Tensor]:
    """What stands in bytes 0 to 255, encoded into those from two others on."""
    out = part(mantissa, 64), part(exponent, 2, torch.uint8)
    return quantize(part(0, 64, torch.float32), out=out)


def decoded(start: int) -> torch.Tensor:
    """What stands in bytes 0 to 65, decoded into those from another on."""
    packed = part(0, 64), part(64, 2, torch.uint8)
    return dequantize(*packed, out=part(start, 64, torch.bfloat16))


@pytest.mark.parametrize(
    ("wrong", "other", "call"),
    [
        ("out", "x", lambda: encoded(255, 500)),
        ("out", "x", lambda: encoded(300, 254)),
        (r"out\[0\]", r"out\[1\]", lambda: encoded(300, 363)),
        ("out", "mantissa", lambda: decoded(62)),
        ("out", "exponent", lambda: decoded(64)),
    ],
)
def test_what_is_read_or_filled_may_not_be_overwritten(wrong: str, other: str, call: Any) -> None:
    with pytest.raises(ValueError, match=f"^{wrong} must not share memory with {other}$"):
        call()


def test_neighbours_in_one_piece_of_memory_are_apart() -> None:
    new = quantize(part(0, 64, torch.float32))
    for filled, wanted in zip(encoded(256, 320), new, strict=True):
        assert torch.equal(filled, wanted)
    new_values = dequantize(part(0, 64), part(64, 2, torch.uint8))
    assert torch.equal(decoded(66), new_values)


shapes = st.lists(st.integers(0, 9), min_size=0, max_size=2).flatmap(
    lambda rows: st.integers(0, 70).map(lambda columns: (*rows, columns))
)


@settings(deadline=None, max_examples=150)
@given(shapes, st.integers(1, 80), st.sampled_from(FLOATS), st.booleans(), st.data())
def test_any_shape_and_view_has_the_codes_of_its_contiguous_copy(
    shape: tuple[int, ...], size: int, dtype: torch.dtype, transposed: bool, data: st.DataObject
) -> None:
    x = torch.randn(shape, generator=torch.Generator().manual_seed(size)).to(dtype)
    view = x.transpose(0, -1) if transposed else x[..., :: data.draw(st.integers(1, 3))]
    mantissa, exponent = quantize(view, size)
    assert mantissa.shape == view.shape
    assert exponent.shape == (*view.shape[:-1], -(-view.shape[-1] // size))
    same = quantize(view.contiguous(), size)
    assert torch.equal(mantissa, same[0])
    assert torch.equal(exponent, same[1])
    values = dequantize(mantissa, exponent, size, dtype)
    assert values.shape == view.shape


@pytest.mark.parametrize("activations", ["float", "mxint8"])
@pytest.mark.parametrize("rows", [1, 4, 20])
def test_a_layer_of_views_is_that_of_their_copies(rows: int, activations: Any) -> None:
    x = torch.randn(40, rows).t()
    mantissa, exponent = (t.t().contiguous().t() for t in quantize(torch.randn(4, 40)))
    bias = torch.randn(8)[::2]
    for view in (x, torch._neg_view(x), x.flip(0, 1), x[:1].expand(rows, 40)):
        arguments = view, torch._neg_view(mantissa), exponent, torch._neg_view(bias)
        copies = [t.resolve_neg().clone(memory_format=torch.contiguous_format) for t in arguments]
        y = linear(*arguments, activations=activations)
        assert torch.equal(y, linear(*copies, activations=activations))


@pytest.mark.parametrize("device", devices())
@settings(deadline=None, max_examples=100)
@given(
    st.integers(0, 12),
    st.integers(0, 9),
    st.integers(0, 70),
    st.integers(1, 80),
    st.sampled_from(["float", "mxint8"]),
)
def test_any_sizes_of_a_layer_have_the_shape_of_a_linear_one(
    device: str, batch: int, outputs: int, inputs: int, size: int, activations: Any
) -> None:
    generator = torch.Generator().manual_seed(batch)
    x = torch.randn(batch, inputs, generator=generator).to(device)
    weight = torch.randn(outputs, inputs, generator=generator).to(device)
    mantissa, exponent = quantize(weight, size)
    y = linear(x, mantissa, exponent, None, size, activations)
    decoded = dequantize(mantissa, exponent, size, torch.float32)
    expected = nn.functional.linear(x, decoded)
    assert y.shape == expected.shape
    # Quantized activations are off by at most 1/64 of their group's largest.
    largest = float(x.abs().max()) if x.numel() else 0.0
    room = 1e-5 if activations == "float" else largest / 64
    allowed = room * decoded.abs().sum(dim=1) + 1e-5
    assert ((y - expected).abs() <= allowed).all()


@pytest.mark.usefixtures("level")
@pytest.mark.parametrize("device", devices())
@pytest.mark.parametrize("activations", ["float", "mxint8"])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("batch", [1, 12])
def test_a_layer_without_inputs_returns_its_bias(
    batch: int, dtype: torch.dtype, activations: Any, device: str
) -> None:
    x = torch.zeros(batch, 0, dtype=dtype, device=device)
    packed = quantize(torch.zeros(5, 0, device=device))
    bias = torch.arange(5, device=device).to(dtype)
    y = linear(x, *packed, bias, activations=activations)
    assert torch.equal(y, bias.expand(batch, 5))
    assert not linear(x, *packed, activations=activations).any()
