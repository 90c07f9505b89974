"""Checks of arguments: a TypeError or ValueError that names the argument."""

import torch

FLOATS = (torch.float32, torch.bfloat16, torch.float16)
ACTIVATIONS = ("float", "mxint8")


def check_tensor(name: str, value: object, *dtypes: torch.dtype) -> None:
    """Raise TypeError unless ``value`` is a dense tensor of one of the dtypes."""
    if not isinstance(value, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, not {type(value).__name__}")
    if value.dtype not in dtypes:
        raise TypeError(f"{name} must be of {_either(dtypes)}, not {value.dtype}")
    if value.layout != torch.strided or value.is_nested:
        kind = "nested" if value.is_nested else value.layout
        raise TypeError(f"{name} must be dense, not {kind}")


def check_dtype(name: str, value: object) -> None:
    """Raise TypeError unless ``value`` is one of the three float dtypes."""
    if value not in FLOATS:
        raise TypeError(f"{name} must be {_either(FLOATS)}, not {value!r}")


def check_group_size(value: object) -> None:
    """Raise TypeError unless ``value`` is an int, ValueError unless it is positive."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"group_size must be an int, not {type(value).__name__}")
    if not 1 <= value < 2**63:
        raise ValueError(f"group_size must be at least 1 and fit into 64 bits, not {value}")


def check_activations(value: object) -> None:
    """Raise ValueError unless ``value`` is "float" or "mxint8"."""
    if value not in ACTIVATIONS:
        raise ValueError(f"activations must be 'float' or 'mxint8', not {value!r}")


def check_pair(name: str, value: object) -> None:
    """Raise TypeError unless ``value`` is a tuple or list of two."""
    if not isinstance(value, tuple | list) or len(value) != 2:
        raise TypeError(f"{name} must be a pair of tensors, a mantissa and an exponent")


def check_rank(name: str, value: torch.Tensor, least: int, most: int | None = None) -> None:
    """Raise ValueError unless the tensor has so many dimensions."""
    if value.dim() < least or (most is not None and value.dim() > most):
        wanted = f"{least}" if most == least else f"at least {least}"
        raise ValueError(f"{name} must have {wanted} dimension(s), not {value.dim()}")


def check_shape(name: str, value: torch.Tensor, shape: tuple[int, ...]) -> None:
    """Raise ValueError unless the tensor has that shape."""
    if tuple(value.shape) != shape:
        raise ValueError(f"{name} must have shape {shape}, not {tuple(value.shape)}")


def check_device(name: str, value: torch.Tensor) -> None:
    """Raise ValueError unless there are kernels for the tensor's device."""
    if not (value.is_cpu or value.is_cuda or value.is_meta):  # faster than to ask for the device
        raise ValueError(f"{name} must be on cpu or cuda, not {value.device}")


def check_beside(name: str, value: torch.Tensor, other_name: str, other: torch.Tensor) -> None:
    """Raise ValueError unless both tensors are on one device."""
    if value.device != other.device:
        raise ValueError(
            f"{name} must be on the device of {other_name}, {other.device}, not {value.device}"
        )


def check_apart(name: str, value: torch.Tensor, other_name: str, other: torch.Tensor) -> None:
    """Raise ValueError where two contiguous tensors share memory; of others torch cannot tell."""
    if torch.compiler.is_compiling():  # there is no memory yet
        return
    both = (value, other)
    if value.untyped_storage()._cdata != other.untyped_storage()._cdata:
        return
    starts = [tensor.storage_offset() * tensor.itemsize for tensor in both]
    ends = [start + tensor.nbytes for start, tensor in zip(starts, both, strict=True)]
    if all(tensor.is_contiguous() for tensor in both) and max(starts) < min(ends):
        raise ValueError(f"{name} must not share memory with {other_name}")


def check_out(
    value: torch.Tensor,
    dtype: torch.dtype,
    shape: tuple[int, ...],
    other_name: str,
    other: torch.Tensor,
) -> None:
    """Raise an error unless a result of that type and shape can be written into ``out``."""
    check_tensor("out", value, dtype)
    check_shape("out", value, shape)
    check_beside("out", value, other_name, other)
    check_apart("out", value, other_name, other)
    if not torch.compiler.is_compiling() and value.is_neg():
        raise ValueError("out must hold its numbers themselves, and not their negatives")
    if not value.is_contiguous() and 0 in value.stride():
        raise ValueError("out must have memory of its own for each number, and not be expanded")


def _either(dtypes: tuple[torch.dtype, ...]) -> str:
    return " or ".join(str(dtype) for dtype in dtypes)
