"""What torch expects of operators and modules: fakes, graphs, gradients, states, copies."""

import copy
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from conftest import devices
from safetensors.torch import load_file, save_file
from torch import nn

import mxint_cuda

ACTIVATIONS = ["float", "mxint8"]
every_device = pytest.mark.parametrize("device", devices())
every_activation = pytest.mark.parametrize("activations", ACTIVATIONS)


def packed(outputs: int, inputs: int, size: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(outputs + inputs)
    weight = torch.randn(outputs, inputs, generator=generator)
    return mxint_cuda.quantize(weight.to(device), size)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc here")
def test_where_there_is_nvcc_the_cuda_kernels_are_registered() -> None:
    assert mxint_cuda.has_cuda()
    for name in ("quantize", "quantize_out", "dequantize", "dequantize_out", "linear"):
        assert torch._C._dispatch_has_kernel_for_dispatch_key(f"mxint_cuda::{name}", "CUDA")


@every_device
def test_opcheck_passes_for_every_operator(device: str) -> None:
    x = torch.randn(3, 70, device=device)
    mantissa, exponent = packed(5, 70, 32, device)
    out = torch.empty(5, 70, device=device)
    ops = torch.ops.mxint_cuda
    torch.library.opcheck(ops.quantize, (x, 32))
    torch.library.opcheck(ops.quantize_out, (out, 32, mantissa, exponent))
    torch.library.opcheck(ops.dequantize, (mantissa, exponent, 32, torch.float32))
    torch.library.opcheck(ops.dequantize_out, (mantissa, exponent, 32, 0, out))
    for mxint8 in (False, True):
        torch.library.opcheck(ops.linear, (x, mantissa, exponent, None, 32, mxint8))


@every_device
@every_activation
def test_a_layer_compiles_into_one_graph(device: str, activations: str) -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(64, 16).to(device), 32, activations)
    x = torch.randn(4, 64, device=device)
    compiled = torch.compile(layer, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(x), layer(x))


@every_activation
def test_a_layer_exports_and_keeps_its_buffers(activations: str, level: str) -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(64, 16), 32, activations)
    x = torch.randn(4, 64)
    program = torch.export.export(layer, (x,))
    assert {"mantissa", "exponent"} <= set(program.graph_signature.buffers)
    assert torch.equal(program.module()(x), layer(x))


@every_device
@every_activation
@pytest.mark.parametrize("compiled", [False, True])
def test_the_gradients_are_those_of_the_decoded_weight(
    compiled: bool, device: str, activations: str
) -> None:
    mantissa, exponent = packed(16, 64, 32, device)
    weight = mxint_cuda.dequantize(mantissa, exponent, 32, torch.float32)
    x = torch.randn(2, 3, 64, device=device, requires_grad=True)
    bias = torch.randn(16, device=device, requires_grad=True)
    grad = torch.randn(2, 3, 16, device=device)
    layer = mxint_cuda.linear
    if compiled:
        layer = torch.compile(layer, fullgraph=True, backend="aot_eager")
    y = layer(x, mantissa, exponent, bias, 32, activations)
    found = torch.autograd.grad(y, (x, bias), grad)
    expected = torch.autograd.grad(F.linear(x, weight, bias), (x, bias), grad)
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other)


@every_device
def test_filling_tensors_compiles_into_one_graph(device: str) -> None:
    def fill(x: torch.Tensor, m: torch.Tensor, e: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return mxint_cuda.dequantize(*mxint_cuda.quantize(x, 32, (m, e)), 32, x.dtype, y)

    x = torch.randn(4, 64, device=device)
    eager, compiled = ([*packed(4, 64, 32, device), torch.zeros_like(x)] for _ in range(2))
    fill(x, *eager)
    torch.compile(fill, fullgraph=True, backend="aot_eager")(x, *compiled)
    for one, other in zip(compiled, eager, strict=True):
        assert torch.equal(one, other)


def test_a_layer_saves_loads_and_copies_as_buffers(tmp_path: Path) -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(40, 8))
    x = torch.randn(3, 40)
    save_file(layer.state_dict(), tmp_path / "layer.safetensors")
    other = mxint_cuda.Linear.from_linear(nn.Linear(40, 8))
    other.load_state_dict(load_file(tmp_path / "layer.safetensors"))
    assert torch.equal(other(x), layer(x))
    assert torch.equal(copy.deepcopy(layer)(x), layer(x))
    assert {name for name, _ in layer.named_buffers()} == {"mantissa", "exponent"}
    assert [name for name, _ in layer.named_parameters()] == ["bias"]


def test_changing_the_dtype_of_a_layer_changes_its_bias_alone() -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(40, 8)).to(torch.bfloat16)
    assert layer.bias is not None
    assert layer.bias.dtype == torch.bfloat16
    assert (layer.mantissa.dtype, layer.exponent.dtype) == (torch.int8, torch.uint8)
    assert layer(torch.randn(3, 40, dtype=torch.bfloat16)).dtype == torch.bfloat16


def test_a_model_is_converted_in_place_but_for_what_is_skipped_by_any_of_its_names() -> None:
    shared, named = nn.Linear(8, 8), nn.Linear(8, 2)
    layers = {"a": shared, "again": shared, "b": named, "classifier": nn.Sequential(named)}
    model, bias = nn.ModuleDict(layers), shared.bias
    assert mxint_cuda.quantize_model_(model, skip=["classifier"]) is model
    assert isinstance(model["a"], mxint_cuda.Linear)
    assert model["a"] is model["again"]
    assert model["a"].bias is bias
    assert model["b"] is named


@pytest.mark.parametrize(
    ("wrong", "dtype", "arguments"),
    [
        ("group_size", torch.float32, {"group_size": 0}),
        ("activations", torch.float32, {"activations": "int8"}),
        (r"b\.weight", torch.float64, {}),
    ],
)
def test_a_model_that_cannot_be_converted_stays_as_it_is(
    wrong: str, dtype: torch.dtype, arguments: dict[str, Any]
) -> None:
    model = nn.ModuleDict({"a": nn.Linear(8, 8), "b": nn.Linear(8, 8, dtype=dtype)})
    with pytest.raises((TypeError, ValueError), match=f"^{wrong} must"):
        mxint_cuda.quantize_model_(model, **arguments)
    assert type(model["a"]) is nn.Linear
