"""What torch expects of operators and modules: fakes, graphs, gradients, states, copies."""

import copy
import io
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from conftest import devices
from safetensors.torch import load_file, save_file
from torch import nn
from torch.autograd import forward_ad

import mxint_cuda

ACTIVATIONS = ["float", "mxint8"]
OF_FORWARD_MODE = "`torch.jit.script` is deprecated"  # as torch starts it
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


@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("weight", [1e5, 2.0**-30])
def test_a_gradient_of_float16_meets_weights_beyond_its_range(weight: float, rows: int) -> None:
    packed = mxint_cuda.quantize(torch.full((5, 64), weight))
    x = torch.zeros(rows, 64, dtype=torch.float16, requires_grad=True)
    grad = torch.full((rows, 5), min(100 / weight, 1024)).half()
    (found,) = torch.autograd.grad(mxint_cuda.linear(x, *packed), x, grad)
    expected = grad.float() @ mxint_cuda.dequantize(*packed, dtype=torch.float32)
    assert torch.equal(found, expected.half())


@every_activation
@pytest.mark.filterwarnings(f"ignore:{OF_FORWARD_MODE}")
@pytest.mark.parametrize("grad_mode", [torch.enable_grad, torch.no_grad])
def test_tangents_are_those_of_the_decoded_weight(grad_mode: Any, activations: str) -> None:
    packed_weight = packed(16, 64, 32, "cpu")
    weight = mxint_cuda.dequantize(*packed_weight, 32, torch.float32)
    x, x_tangent = torch.randn(2, 3, 64), torch.randn(2, 3, 64)
    bias, bias_tangent = torch.randn(16), torch.randn(16)
    with forward_ad.dual_level(), grad_mode():
        dual_x = forward_ad.make_dual(x, x_tangent)
        dual_bias = forward_ad.make_dual(bias, bias_tangent)
        for of_x, of_bias, tangent in (
            (dual_x, dual_bias, F.linear(x_tangent, weight, bias_tangent)),
            (dual_x, None, F.linear(x_tangent, weight)),
            (x, dual_bias, bias_tangent.expand(2, 3, 16)),
        ):
            y = mxint_cuda.linear(of_x, *packed_weight, of_bias, 32, activations)
            torch.testing.assert_close(forward_ad.unpack_dual(y).tangent, tangent)


@pytest.mark.filterwarnings(f"ignore:{OF_FORWARD_MODE}", "ignore:There is a performance drop")
def test_functional_transforms_take_a_layer() -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(64, 16, bias=False))
    x = torch.randn(3, 64)
    for transform in (torch.func.jacrev, torch.func.jacfwd):
        found = torch.func.vmap(transform(layer))(x)
        torch.testing.assert_close(found, layer.weight.expand(3, 16, 64))
    found = torch.func.grad(lambda x: torch.func.vmap(layer)(x).sum())(x)
    torch.testing.assert_close(found, layer.weight.sum(0).expand(3, 64))


def test_a_gradient_under_autocast_is_not_that_of_float16() -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(64, 16, bias=False))
    layer.exponent.fill_(143)  # weights of up to 1e5 and more
    with torch.autocast("cpu", torch.float16):
        _, gradient = torch.func.vjp(layer, torch.zeros(3, 64))
        (found,) = gradient(torch.full((3, 16), 2.0**-14, dtype=torch.float16))
    assert found.isfinite().all() and found.any()


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


def test_a_state_does_not_load_into_groups_of_another_size() -> None:
    state = mxint_cuda.Linear.from_linear(nn.Linear(40, 8), group_size=33).state_dict()
    layer = mxint_cuda.Linear.from_linear(nn.Linear(40, 8), group_size=32)
    before = layer.mantissa.clone()
    with pytest.raises(ValueError, match="^group_size must be 33, as in the state, not 32$"):
        layer.load_state_dict(state)
    assert torch.equal(layer.mantissa, before)


def test_a_layer_pickles_and_an_exported_one_is_saved() -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(40, 8), 33, "mxint8")
    x = torch.randn(3, 40)
    assert torch.equal(pickle.loads(pickle.dumps(layer))(x), layer(x))
    program = torch.export.export(layer, (x,), dynamic_shapes=({0: torch.export.Dim("rows")},))
    file = io.BytesIO()
    torch.export.save(program, file)
    file.seek(0)
    assert torch.equal(torch.export.load(file).module()(x[:2]), layer(x[:2]))


@every_device
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_autocast_casts_what_a_layer_takes(dtype: torch.dtype, compiled: bool, device: str) -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(64, 16).to(device))
    x = torch.randn(4, 64, device=device).to(dtype)
    expected = copy.deepcopy(layer).bfloat16()(x.bfloat16())
    if compiled:
        layer = torch.compile(layer, fullgraph=True, backend="aot_eager")
    with torch.autocast(device, torch.bfloat16):
        y = layer(x)
    assert torch.equal(y, expected)
    y.sum().backward()
    assert layer.bias.grad.dtype == torch.float32


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_a_weight_reads_as_the_decoded_one_in_the_layers_dtype(
    dtype: torch.dtype, bias: bool
) -> None:
    layer = mxint_cuda.Linear.from_linear(nn.Linear(40, 8, bias).bfloat16()).to(dtype)
    decoded = mxint_cuda.dequantize(layer.mantissa, layer.exponent, 32, dtype)
    assert layer.weight.dtype == dtype
    assert torch.equal(layer.weight, decoded)


@pytest.mark.parametrize("mode", ["eager", "compiled", "exported"])
@pytest.mark.parametrize("padding", [False, True])
def test_a_transformer_encoder_calls_its_layers_in_eval_mode(padding: bool, mode: str) -> None:
    torch.manual_seed(0)  # in MXINT8 a number near a tie may go either way
    model = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, 96, batch_first=True), 1)
    mxint_cuda.quantize_model_(model.eval(), activations="mxint8")
    x = torch.randn(2, 3, 64)
    mask = torch.tensor([[False, False, False], [False, False, True]]) if padding else None
    part, run = model.layers[0], model
    with torch.no_grad():
        attended = part.norm1(x + part.self_attn(x, x, x, mask, need_weights=False)[0])
        expected = part.norm2(attended + part.linear2(part.linear1(attended).relu()))
        if mode == "compiled":
            run = torch.compile(model, fullgraph=True, backend="aot_eager")
        if mode == "exported":
            run = torch.export.export(model, (x, None, mask)).module()
        torch.testing.assert_close(run(x, None, mask), expected, rtol=0, atol=1e-5)


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


def test_a_converted_layer_is_the_same_module_with_its_hooks() -> None:
    layer, called = nn.Linear(8, 8), []
    layer.register_forward_pre_hook(lambda *_: called.append("before"))
    after = layer.register_forward_hook(lambda *_: called.append("after"))
    assert mxint_cuda.quantize_model_(layer) is layer
    assert isinstance(layer, mxint_cuda.Linear)
    layer(torch.ones(1, 8))
    after.remove()
    layer(torch.ones(1, 8))
    assert called == ["before", "after", "before"]


def test_tied_weights_stay_tied() -> None:
    model = nn.ModuleList([nn.Linear(8, 8), nn.Linear(8, 8), nn.Embedding(8, 8)])
    model[1].weight = model[2].weight = model[0].weight
    mxint_cuda.quantize_model_(model)
    assert model[0].mantissa is model[1].mantissa
    assert model[0].exponent is model[1].exponent
    assert model[2].weight.dtype == torch.float32  # an embedding is none of those that are packed


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
