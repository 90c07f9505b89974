"""This shows nothing about a GPU: CUDA's paths are walked on the CPU, to find wrong names in them.

Python imports this module where its folder is on PYTHONPATH, which only the test of these paths
sets. What is put on the device "cuda" stays on the CPU, and is remembered: a tensor of it says that
it is there, and an operation on tensors of both devices fails, as on a GPU. There seem to be two
boards, of which each reports as little as BOARD does.
"""

import copy
import os
import time
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pynvml
import torch
from torch import Tensor, nn
from torch.autograd import DeviceType
from torch.overrides import TorchFunctionMode, _pop_mode_temporarily
from torch.profiler import ProfilerActivity, profile
from torch.utils._pytree import tree_map
from torch.utils.weak import WeakTensorKeyDictionary

from labs.measure import bounds, rounds

CPU, CUDA = torch.device("cpu"), torch.device("cuda", 0)
BOARD = os.environ["REHEARSED_BOARD"]
LACKS = {
    "whole": (),
    "unified": ("nvmlDeviceGetMemoryInfo",),
    "virtual": ("nvmlDeviceGetPowerUsage", "nvmlDeviceGetTemperature"),
    "MIG": ("nvmlDeviceGetClockInfo", "nvmlDeviceGetCurrentClocksEventReasons"),
}[BOARD]
BYTES, PEAK = 8 * 2**30, 2**24
UUID = "00000000-0000-0000-0000-000000000000"

on_cuda: Any = WeakTensorKeyDictionary()
"""The tensors that are on the device."""

MOVING = {Tensor.to, Tensor.cpu, Tensor.cuda}
ACROSS = {*MOVING, Tensor.copy_, Tensor.__getitem__, Tensor.__setitem__, Tensor.backward}
ACROSS |= {Tensor.view_as, torch._has_compatible_shallow_copy_type}
"""What takes tensors of both devices."""
PLAIN = {torch.device, torch._C._nn._parse_to, torch._C._set_grad_enabled}
PLAIN |= {Tensor.dim, Tensor.size, Tensor.numel, Tensor.is_floating_point}
ATTRIBUTES = {Tensor.shape, Tensor.dtype, Tensor.ndim, Tensor.requires_grad, Tensor.grad_fn}
"""What makes no tensor; with a device, it only names it."""


class Rehearsal(TorchFunctionMode):
    """Computes on the CPU what is on the device."""

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        attribute = getattr(function, "__self__", None)
        if function in PLAIN or attribute in ATTRIBUTES:
            return function(*args, **kwargs)
        given = [*args, *kwargs.values()]
        tensors = [*tensors_of(given)]
        there = [tensor for tensor in tensors if tensor in on_cuda]
        if there and attribute is Tensor.device:
            return CUDA
        if there and attribute is Tensor.is_cuda:
            return True
        if there and function is Tensor.numpy:
            raise TypeError("can't convert cuda:0 device type tensor to numpy: use Tensor.cpu()")
        apart = there and any(tensor.dim() and tensor not in on_cuda for tensor in tensors)
        if apart and attribute is not Tensor.data and function not in ACROSS:
            raise RuntimeError(f"{function}: tensors are on the CPU and on the GPU")
        if str(function) == "mxint_cuda.dequantize_out":
            args = (*args[:3], 0, *args[4:])  # by the CPU's only kernel
        named = {kind for one in given if (kind := kind_of(one))}
        if "cuda" in named:
            args, kwargs = map(on_cpu, args), {name: on_cpu(one) for name, one in kwargs.items()}
        result = function(*args, **kwargs)
        if attribute is Tensor.data and len(given) == 2:
            place(given[0], given[1] in on_cuda)
            return result
        if function is Tensor.cuda or named:
            cuda = function is Tensor.cuda or "cuda" in named
        elif function is Tensor.to and len(tensors) > 1:
            cuda = tensors[1] in on_cuda
        else:
            cuda = bool(there) and function is not Tensor.cpu

        def placed(leaf: Any) -> Any:
            if not isinstance(leaf, Tensor):
                return leaf
            if any(leaf is tensor for tensor in tensors):
                if function not in MOVING or (leaf in on_cuda) == cuda:
                    return leaf
                leaf = leaf.clone()  # what stays where it is on the CPU is moved
            return place(leaf, cuda)

        return tree_map(placed, result) if isinstance(result, list | tuple) else placed(result)


def tensors_of(given: Iterable[Any]) -> Iterator[Tensor]:
    """Yield the tensors of arguments, and of lists of them."""
    for one in given:
        if isinstance(one, Tensor):
            yield one
        elif isinstance(one, list | tuple):
            yield from tensors_of(one)


def kind_of(given: Any) -> str:
    """Return the kind of the device that an argument names, or nothing."""
    if isinstance(given, torch.device):
        return given.type
    return given.split(":")[0] if isinstance(given, str) and given[:4] in ("cpu", "cuda") else ""


def on_cpu(given: Any) -> Any:
    return CPU if kind_of(given) == "cuda" else given


def place(tensor: Tensor, cuda: bool) -> Tensor:
    if cuda:
        on_cuda[tensor] = True
    else:
        on_cuda.pop(tensor, None)
    return tensor


def replace(module: Any, **replacements: Any) -> None:
    """Replace what a module has; a name that it lacks is an error."""
    for name, value in replacements.items():
        getattr(module, name)
        setattr(module, name, value)


def returning(value: Any) -> Any:
    return lambda *_, **__: value


class Event:
    """Stands in for an event of CUDA."""

    def __init__(self, enable_timing: bool = False) -> None:
        self.seconds = 0.0 if enable_timing else float("nan")

    def record(self) -> None:
        self.seconds += time.perf_counter()

    def synchronize(self) -> None:
        pass

    def elapsed_time(self, end: "Event") -> float:
        return (end.seconds - self.seconds) * 1e3


replace(
    torch.cuda,
    Event=Event,
    current_device=returning(0),
    device_count=lambda: len(os.environ.get("CUDA_VISIBLE_DEVICES", "0,1").split(",")),
    get_device_capability=returning((9, 0)),
    get_device_name=returning("a rehearsed GPU"),
    get_device_properties=returning(
        SimpleNamespace(uuid=UUID, L2_cache_size=2**20, total_memory=BYTES)
    ),
    get_rng_state=lambda *_: torch.get_rng_state(),
    is_available=returning(True),
    max_memory_allocated=returning(PEAK),
    mem_get_info=returning((BYTES, BYTES)),
    memory_allocated=returning(0),
    reset_peak_memory_stats=returning(None),
    set_device=returning(None),
    set_rng_state=returning(None),
    synchronize=returning(None),
)


def answering(name: str, value: Any) -> Any:
    """Stand in for a function of NVML, which may not be supported."""

    def answer(*_: Any) -> Any:
        if name in LACKS:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return value

    return answer


def handle(uuid: str) -> None:
    if uuid != ("MIG-" if BOARD == "MIG" else "GPU-") + UUID:
        raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)


ANSWERS = {
    "nvmlInit": None,
    "nvmlSystemGetDriverVersion": "0.0",
    "nvmlDeviceGetClockInfo": 1000,
    "nvmlDeviceGetPowerUsage": 100_000,
    "nvmlDeviceGetTemperature": 40,
    "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=BYTES),
    "nvmlDeviceGetCurrentClocksEventReasons": 0,
}
replace(pynvml, **{name: answering(name, value) for name, value in ANSWERS.items()})
replace(pynvml, nvmlDeviceGetHandleByUUID=handle)

profiling, key_averages = profile.__init__, profile.key_averages
parameter, torch_compile = nn.Parameter.__new__, torch.compile


def profile_cpu(self: Any, *, activities: Any, **named: Any) -> None:
    assert ProfilerActivity.CUDA in activities
    profiling(self, activities=[ProfilerActivity.CPU], **named)


def with_kernels(self: Any, *words: Any, **named: Any) -> list[Any]:
    """Return the operators, as if each had taken its time on the GPU, and the kernels."""
    operators = list(key_averages(self, *words, **named))
    for operator in operators:
        operator.self_device_time_total = operator.self_cpu_time_total
    kernels = [copy.copy(operator) for operator in operators]
    for kernel in kernels:
        kernel.key, kernel.device_type = f"kernel of {kernel.key}", DeviceType.CUDA
    return operators + kernels


def new_parameter(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
    return place(parameter(cls, data, requires_grad), data is not None and data in on_cuda)


def compile_for_cpu(model: Any, **_: Any) -> Any:
    """Capture the graphs alone: what is generated for a GPU cannot be rehearsed."""
    from labs.measure.compiler import CompilerLog  # It imports much.

    replace(CompilerLog, _spent_so_far=lambda _: [3 * time.time(), 2 * time.time(), time.time()])
    compiled = torch_compile(model, backend="eager")

    def call(*tensors: Tensor) -> Any:
        with _pop_mode_temporarily():
            result = compiled(*tensors)
        return place(result, any(tensor in on_cuda for tensor in tensors))

    return call


replace(profile, __init__=profile_cpu, key_averages=with_kernels)
replace(nn.Parameter, __new__=new_parameter)
replace(torch, compile=compile_for_cpu)
# Others disturb what is timed here, and nobody reads it.
replace(rounds, RETAKE_SECONDS=0.0, SAMPLE_SECONDS=1e-3)
replace(bounds, COPY_BYTES=2**20)
Rehearsal().__enter__()
