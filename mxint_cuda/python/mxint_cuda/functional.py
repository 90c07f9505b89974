"""The functions: checked calls of the operators, and what torch.compile and autograd need."""

import ctypes
from pathlib import Path
from typing import Any, Literal

import torch
from torch.autograd import forward_ad
from torch.autograd.graph import increment_version

from mxint_cuda.arguments import (
    FLOATS,
    check_activations,
    check_apart,
    check_beside,
    check_device,
    check_dtype,
    check_group_size,
    check_out,
    check_pair,
    check_rank,
    check_shape,
    check_tensor,
)

LIBRARY = Path(__file__).parent / "_C.so"
torch.ops.load_library(LIBRARY)
_ops = torch.ops.mxint_cuda

CPU_LEVELS = ("portable", "avx2", "avxvnni", "avx512", "amx")
"""Instruction sets that the CPU kernels are compiled for, as the library numbers them."""


def cpu_level(name: str | None = None) -> str:
    """Put an instruction set to use, where the processor has it; return the one in use.

    It is for tests and benchmarks: without it, the best one is used.
    """
    number = -1 if name is None else CPU_LEVELS.index(name)
    return CPU_LEVELS[ctypes.CDLL(str(LIBRARY)).mxint_cpu_level(number)]


def has_cuda() -> bool:
    """Return whether this build has CUDA kernels (whether or not this machine has a GPU)."""
    return torch._C._dispatch_has_kernel_for_dispatch_key("mxint_cuda::quantize", "CUDA")


def quantize(
    x: torch.Tensor,
    group_size: int = 32,
    out: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Encode numbers as MXINT8 (OCP Microscaling v1.0, sections 5.2, 5.4 and 6.3).

    Each group has the scale X = 2^floor(log2(its largest magnitude)), at least 2^-127, and the
    mantissas round(x / X * 64), ties to even, clamped to +-127.  The work is done in x's own
    precision.  A group of zeros has exponent 0.  A group that holds infinity or NaN has exponent
    255, which is NaN, and mantissas 0.

    Args:
        x: float32, bfloat16 or float16, of shape (..., columns).  Views are welcome.
        group_size: numbers that share a scale, at least 1.  A row's last group may be shorter.
        out: a mantissa and an exponent of the result's types and shapes, to be filled and returned.

    Returns:
        mantissa, int8 of x's shape, and exponent, uint8 of shape (..., ceil(columns / group_size)):
        ``out``, or new tensors.

    Raises:
        TypeError: a tensor is not dense or of another type, or group_size no int.
        ValueError: x has no dimension or is on another device, a shape or device of ``out`` does
            not fit, its tensors are negated or expanded views, share memory with each other or with
            x, or group_size is below 1.
    """
    check_tensor("x", x, *FLOATS)
    check_group_size(group_size)
    check_rank("x", x, 1)
    check_device("x", x)
    if out is None:
        mantissa, exponent = _ops.quantize(x, group_size)
        return mantissa, exponent
    check_pair("out", out)
    shapes = (tuple(x.shape), _scales_shape(x, group_size))
    for tensor, dtype, shape in zip(out, (torch.int8, torch.uint8), shapes, strict=True):
        check_out(tensor, dtype, shape, "x", x)
    check_apart("out[0]", out[0], "out[1]", out[1])
    _ops.quantize_out(x, group_size, *out)
    increment_version(out)  # so that autograd notices
    return out


def dequantize(
    mantissa: torch.Tensor,
    exponent: torch.Tensor,
    group_size: int = 32,
    dtype: torch.dtype = torch.bfloat16,
    out: torch.Tensor | None = None,
) -> torch.Tensor:
    """Decode MXINT8: mantissa / 64 * 2^(exponent - 127) (OCP Microscaling v1.0, section 5.2).

    bfloat16 and float32 hold every value exactly, except that mantissa -128 under exponent 254,
    -2^128, becomes -infinity; float16 rounds to nearest even and overflows to infinity.  Exponent
    255 decodes to NaN.

    Args:
        mantissa: int8 of shape (..., columns).
        exponent: uint8 of shape (..., ceil(columns / group_size)).
        group_size: numbers that share a scale, at least 1.
        dtype: bfloat16, float32 or float16.
        out: a tensor of that dtype and of mantissa's shape, to be filled and returned.

    Returns:
        The values, of mantissa's shape: ``out``, or a new tensor.

    Raises:
        TypeError: a tensor or dtype is of another type.
        ValueError: a shape, device or group size does not fit, or ``out`` is a negated or expanded
            view, shares memory with an argument or requires a gradient.
    """
    _check_packed(mantissa, exponent, group_size)
    check_dtype("dtype", dtype)
    if out is None:
        values: torch.Tensor = _ops.dequantize(mantissa, exponent, group_size, dtype)
        return values
    check_out(out, dtype, tuple(mantissa.shape), "mantissa", mantissa)
    check_apart("out", out, "exponent", exponent)
    if out.requires_grad:
        raise ValueError("out must not require a gradient")
    _ops.dequantize_out(mantissa, exponent, group_size, 0, out)
    increment_version(out)
    return out


def linear(
    x: torch.Tensor,
    mantissa: torch.Tensor,
    exponent: torch.Tensor,
    bias: torch.Tensor | None = None,
    group_size: int = 32,
    activations: Literal["float", "mxint8"] = "float",
) -> torch.Tensor:
    """Return x Wᵀ + bias for a packed weight W, which is decoded piece by piece, never as a whole.

    "float" multiplies x as it is with W's values; for many rows of x the product is torch's own, in
    x's dtype, or in float32 where that is float16, which does not hold every weight.

    "mxint8" quantizes x too, in groups of the same size.  Products are those of integers (section
    6.2, "dot product of MX-compliant format vectors"), added exactly within a run of at least four
    inputs of a group; beyond it the scaled sums are added in float32, in plain loops in float64.
    On CUDA, shapes without a kernel (the README lists those that have one) are decoded, both
    operands, and multiplied by cuBLAS, as in "float".

    The result has a gradient for x, and for bias; the weight is frozen.  Under "mxint8" it is
    straight-through: that of "float".  The gradient for x decodes W as a whole.  Under
    torch.autocast x and bias are cast, as by torch's own linear.

    Args:
        x: float32, bfloat16 or float16, of shape (..., inputs).
        mantissa: int8 of shape (outputs, inputs).
        exponent: uint8 of shape (outputs, ceil(inputs / group_size)).
        bias: x's dtype, of shape (outputs,); or None.
        group_size: inputs that share a scale, at least 1.
        activations: "float" or "mxint8".

    Returns:
        x's dtype, of shape (..., outputs).

    Raises:
        TypeError: a tensor is of another type.
        ValueError: a shape, device, group size or ``activations`` does not fit.
    """
    check_tensor("x", x, *FLOATS)
    _check_packed(mantissa, exponent, group_size)
    check_rank("x", x, 1)
    check_rank("mantissa", mantissa, 2, 2)
    check_beside("mantissa", mantissa, "x", x)
    if x.shape[-1] != mantissa.shape[1]:
        raise ValueError(
            f"x must have {mantissa.shape[1]} columns, as mantissa has, not {x.shape[-1]}"
        )
    device = "cuda" if x.is_cuda else "cpu"
    if torch.is_autocast_enabled(device):
        x = x.to(torch.get_autocast_dtype(device))
        if bias is not None:
            check_tensor("bias", bias, *FLOATS)
            bias = bias.to(x.dtype)
    if bias is not None:
        check_tensor("bias", bias, x.dtype)
        check_shape("bias", bias, (mantissa.shape[0],))
        check_beside("bias", bias, "x", x)
    check_activations(activations)
    arguments = (x, mantissa, exponent, bias, group_size, activations == "mxint8")
    y: torch.Tensor
    if forward_ad._current_level >= 0:
        y = _LinearWithTangent.apply(*arguments)
    elif torch.is_grad_enabled():  # whatever x says: within vmap, it says that it needs no gradient
        y = _Linear.apply(*arguments)
    else:
        y = _ops.linear.default(*arguments)
    return y


def _check_packed(mantissa: torch.Tensor, exponent: torch.Tensor, group_size: int) -> None:
    check_tensor("mantissa", mantissa, torch.int8)
    check_tensor("exponent", exponent, torch.uint8)
    check_group_size(group_size)
    check_rank("mantissa", mantissa, 1)
    check_device("mantissa", mantissa)
    check_beside("exponent", exponent, "mantissa", mantissa)
    check_shape("exponent", exponent, _scales_shape(mantissa, group_size))


def _scales_shape(values: torch.Tensor, group_size: int) -> tuple[int, ...]:
    return (*values.shape[:-1], -(-values.shape[-1] // group_size))


# ---- for torch.compile and torch.export: shapes without values ----------------------------------


@torch.library.register_fake("mxint_cuda::quantize")
def _(x: torch.Tensor, group_size: int) -> tuple[torch.Tensor, torch.Tensor]:
    return (
        x.new_empty(x.shape, dtype=torch.int8),
        x.new_empty(_scales_shape(x, group_size), dtype=torch.uint8),
    )


@torch.library.register_fake("mxint_cuda::quantize_out")
@torch.library.register_fake("mxint_cuda::dequantize_out")
def _(*arguments: Any) -> None:
    return None


@torch.library.register_fake("mxint_cuda::dequantize")
def _(
    mantissa: torch.Tensor, exponent: torch.Tensor, group_size: int, dtype: torch.dtype
) -> torch.Tensor:
    return mantissa.new_empty(mantissa.shape, dtype=dtype)


@torch.library.register_fake("mxint_cuda::linear")
def _(
    x: torch.Tensor,
    mantissa: torch.Tensor,
    exponent: torch.Tensor,
    bias: torch.Tensor | None,
    group_size: int,
    mxint8: bool,
) -> torch.Tensor:
    return x.new_empty((*x.shape[:-1], mantissa.shape[0]))


# ---- for autograd -------------------------------------------------------------------------------


class _Linear(torch.autograd.Function):
    """The operator with its gradients: apart from it, since a call without them is faster so."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*arguments: Any) -> torch.Tensor:
        y: torch.Tensor = _ops.linear.default(*arguments)
        return y

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: torch.Tensor) -> None:
        _, mantissa, exponent, _, ctx.group_size, _ = inputs
        ctx.save_for_backward(mantissa, exponent)
        ctx.save_for_forward(mantissa, exponent)

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        mantissa, exponent = ctx.saved_tensors
        (grad,) = grads
        grad_x = grad_bias = None
        if ctx.needs_input_grad[0]:
            # Not in float16, which does not hold every weight.
            dtype = torch.promote_types(grad.dtype, torch.bfloat16)
            weight = _ops.dequantize(mantissa, exponent, ctx.group_size, dtype)
            with torch.autocast(grad.device.type, enabled=False):
                grad_x = (grad.to(dtype) @ weight).to(grad.dtype)
        if ctx.needs_input_grad[3]:
            grad_bias = grad.sum_to_size(mantissa.shape[0])
        return grad_x, None, None, grad_bias, None, None


class _LinearWithTangent(_Linear):
    """The same in forward mode: apart from it, as torch.compile takes no class with a ``jvp``."""

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> torch.Tensor:
        x, _, _, bias, _, _ = tangents
        mantissa, exponent = ctx.saved_tensors
        return linear(x, mantissa, exponent, bias, ctx.group_size)
