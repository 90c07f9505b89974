"""Build the CUDA kernels for the CPU, and call them with tensors."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from reference import FLOATS

HERE = Path(__file__).parent
CUTLASS = HERE.parents[2] / "results" / "data" / "cutlass"
SOURCES, PTX = "cuda_on_host", "ptx_on_host"
"""Libraries: the kernels compiled by g++, and nvcc's own code for them."""

ALGORITHMS = ["automatic", "scalar", "vectorised", "cute"]
FORWARD, BACKWARD, RANDOM = range(3)
"""Orders of threads; any number from RANDOM on is a random order of its own."""

CAPABILITIES = [75, 90]
"""Before 8.0 kernels take other instructions than since."""

Pair = tuple[torch.Tensor, torch.Tensor]


def build(folder: Path, csrc: Path | None = None, library: str = SOURCES) -> Path:
    """Return a library, built in this folder, or built again where sources have changed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    define = ["-DCMAKE_CXX_COMPILER=g++", f"-DPython_EXECUTABLE={sys.executable}"]
    define += [f"-DCSRC={csrc or HERE.parents[1] / 'csrc'}"]
    # The headers that the project's build keeps; a package by itself keeps its own.
    define += [f"-DCUTLASS={CUTLASS if CUTLASS.exists() else folder / 'cutlass'}"]
    for command in (
        ["cmake", "-G", "Ninja", "-S", str(HERE), "-B", str(folder), *define],
        ["cmake", "--build", str(folder), "--parallel", "2", "--target", library],
    ):
        environment = os.environ | {"PATH": path}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"the kernels do not build:\n{done.stdout}{done.stderr}"[-20000:])
    return folder / f"lib{library}.so"


class Traffic(ctypes.Structure):
    """What warps ask of a tensor in global memory: ``requests`` (instructions of a warp), the
    ``sectors`` of 32 bytes that each of these touches, and the ``bytes`` that lanes read or write.
    """

    _fields_ = [(name, ctypes.c_uint64) for name in ("requests", "sectors", "bytes")]


class Failure(Exception):
    """What a launcher says: the kernel was not started, or a check has stopped it."""


class OnHost:
    """The launchers of csrc/cuda.h, on tensors of the CPU.

    Kernels may touch the tensors that are given, and nothing else; what they return was full of
    another pattern before.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.library = ctypes.CDLL(str(path))
        self.checked = True
        self.has_cute: bool = ctypes.c_bool.in_dll(self.library, "host_has_cute").value
        # In which order threads and blocks run; after how many blocks a grid is cut short, which
        # kernels' loops must make up for; how many multiprocessors the device says it has.
        self.order = self._function("order")
        self.most_blocks = self._function("most_blocks")
        self.multiprocessors = self._function("multiprocessors")
        # The device's compute capability: 75 is 7.5.
        self.capability = self._function("capability")
        # How many launches and blocks have run so far; whether the kernel at a place of the library
        # has.
        self.launches = self._function("launches", ctypes.c_int64)
        self.blocks = self._function("blocks", ctypes.c_int64)
        self.has_run = self._function("has_run", ctypes.c_bool)
        # How many rows of a weight are decoded at a time; n / divisor, in so many bits.
        self.outputs_per_piece = self._function("outputs_per_piece", ctypes.c_int64)
        self.quotient = self._function("quotient", ctypes.c_int64)
        if PTX in path.name:
            # Count, from zero, what is asked of global memory; what was asked of a tensor since.
            self.count_traffic = self._function("count")
            self.traffic = self._function("traffic", Traffic)
        self.order(FORWARD)
        self.most_blocks(2**32 - 1)
        self.multiprocessors(1)
        self.capability(90)

    def quantize(self, x: torch.Tensor, size: int, out: Pair | None = None) -> Pair:
        """Return mantissas and exponents, as mxint_cuda.quantize does."""
        rows, columns = x.shape
        mantissa, exponent = out or (
            unwritten(rows, columns, torch.int8),
            unwritten(rows, -(-columns // size), torch.uint8),
        )
        of_x = FLOATS.index(x.dtype)
        self._launch(
            "quantize", x, of_x, rows, columns, size, mantissa, exponent, out=[mantissa, exponent]
        )
        return mantissa, exponent

    def dequantize(
        self,
        mantissa: torch.Tensor,
        exponent: torch.Tensor,
        size: int,
        dtype: torch.dtype,
        algorithm: str = "automatic",
        out: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """Return the values, as mxint_cuda.dequantize does."""
        y = unwritten(*mantissa.shape, dtype) if out is None else out
        choice = (FLOATS.index(dtype), ALGORITHMS.index(algorithm))
        self._launch("dequantize", mantissa, exponent, *mantissa.shape, size, y, *choice, out=[y])
        return y

    def linear(
        self,
        x: torch.Tensor | Pair,
        weight: Pair,
        bias: torch.Tensor | None,
        size: int,
        dtype: torch.dtype,
        quantizing: bool = False,
    ) -> torch.Tensor:
        """Return the product with a packed weight of x: floats, which the kernel may quantize for
        itself, or mantissas and exponents.
        """
        values, scales = x if isinstance(x, tuple) else (x, None)
        shape = (len(values), *weight[0].shape, size)
        y = unwritten(*shape[:2], dtype)
        choice = (FLOATS.index(dtype), quantizing)
        self._launch("linear", values, scales, *weight, *shape, bias, y, *choice, out=[y])
        return y

    def fault(self, number: int, x: torch.Tensor, y: torch.Tensor) -> None:
        """Run the kernel with this fault, which knows of one tensor that it may not touch."""
        elsewhere = torch.zeros_like(x)
        self._launch("fault", number, x, passed(elsewhere), y, out=[y])

    def _launch(self, name: str, *arguments: object, out: list[torch.Tensor]) -> None:
        """Call a launcher, whose kernels may touch the tensors that it is given, of which those in
        ``out`` have yet to be written.
        """
        self.library.host_begin(self.checked)
        for tensor in arguments if self.checked else ():
            if isinstance(tensor, torch.Tensor):
                written = not any(tensor is one for one in out)
                self.library.host_tensor(*map(passed, (tensor, tensor.nbytes, written)))
        error = self._function(name, ctypes.c_char_p)(*arguments)
        if error is not None:
            raise Failure(error.decode())

    def _function(self, name: str, returns: type | None = None) -> Callable[..., Any]:
        """Return a function of the library, which takes tensors, too, and has this result."""
        function = self.library[f"host_{name}"]
        function.restype = returns
        return lambda *arguments: function(*map(passed, arguments))


def passed(argument: object) -> object:
    """Return an argument as the library takes it: a tensor's address, or a number of 64 bits."""
    if isinstance(argument, torch.Tensor):
        return ctypes.c_void_p(argument.data_ptr())
    return ctypes.c_int64(argument) if isinstance(argument, int) else argument


def unwritten(rows: int, columns: int, dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor of a pattern that no result is made of."""
    memory = torch.full((rows, columns * dtype.itemsize), 0x5A, dtype=torch.uint8)
    return memory.view(dtype)
