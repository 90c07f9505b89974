"""Build the CUDA kernels for the CPU, and call them with tensors."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import torch
from reference import FLOATS

HERE = Path(__file__).parent
CUTLASS = HERE.parents[2] / "results" / "data" / "cutlass"
SOURCES, PTX = "cuda_on_host", "ptx_on_host"
"""Libraries: the kernels compiled by g++, and nvcc's own code for them."""

ALGORITHMS = ["automatic", "scalar", "vectorised", "cute"]
FORWARD, BACKWARD, RANDOM = range(3)
"""Orders of threads; any number from RANDOM on is a random order of its own."""

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
        done = subprocess.run(
            command,
            env=os.environ | {"PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode != 0:
            raise RuntimeError(f"the kernels do not build:\n{done.stdout[-10000:]}")
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

    def order(self, seed: int) -> None:
        """Choose the order in which threads and blocks run."""
        self.library.host_order(ctypes.c_uint(seed))

    def most_blocks(self, most: int = 2**32 - 1) -> None:
        """Cut grids short, which the loops of kernels must make up for."""
        self.library.host_most_blocks(ctypes.c_uint(most))

    def multiprocessors(self, count: int) -> None:
        """Choose how many the device says it has."""
        self.library.host_multiprocessors(count)

    def outputs_per_piece(self, rows: int, outputs: int, inputs: int) -> int:
        """Return how many rows of a weight are decoded at a time."""
        function = self.library.host_outputs_per_piece
        function.restype = ctypes.c_int64
        return int(function(*map(ctypes.c_int64, (rows, outputs, inputs))))

    def quantize(self, x: torch.Tensor, size: int, out: Pair | None = None) -> Pair:
        """Return mantissas and exponents, as mxint_cuda.quantize does."""
        rows, columns = x.shape
        mantissa, exponent = out or (
            unwritten(rows, columns, torch.int8),
            unwritten(rows, -(-columns // size), torch.uint8),
        )
        shape = [*map(ctypes.c_int64, (rows, columns, size))]
        self._allow([x], [mantissa, exponent])
        self._call("quantize", x, FLOATS.index(x.dtype), *shape, mantissa, exponent)
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
        shape = [*map(ctypes.c_int64, (*mantissa.shape, size))]
        choice = [FLOATS.index(dtype), ALGORITHMS.index(algorithm)]
        self._allow([mantissa, exponent], [y])
        self._call("dequantize", mantissa, exponent, *shape, y, *choice)
        return y

    def linear(
        self,
        x: torch.Tensor | Pair,
        mantissa: torch.Tensor,
        exponent: torch.Tensor,
        bias: torch.Tensor | None,
        size: int,
        dtype: torch.dtype,
    ) -> torch.Tensor:
        """Return the product of x, which may be mantissas and exponents, with a packed weight."""
        values, scales = x if isinstance(x, tuple) else (x, None)
        outputs, inputs = mantissa.shape
        y = unwritten(len(values), outputs, dtype)
        given = [t for t in (values, scales, mantissa, exponent, bias) if t is not None]
        shape = [*map(ctypes.c_int64, (outputs, inputs, size))]
        rows = ctypes.c_int64(len(values))
        self._allow(given, [y])
        self._call(
            "linear", values, scales, rows, mantissa, exponent, *shape, bias, y, FLOATS.index(dtype)
        )
        return y

    def linear_quantizing(
        self, x: torch.Tensor, weight: Pair, bias: torch.Tensor | None, size: int
    ) -> torch.Tensor:
        """Return what linear does, of one row of x that the kernel quantizes for itself."""
        mantissa, exponent = weight
        outputs, inputs = mantissa.shape
        y = unwritten(1, outputs, x.dtype)
        shape = [*map(ctypes.c_int64, (outputs, inputs, size))]
        self._allow([t for t in (x, mantissa, exponent, bias) if t is not None], [y])
        self._call(
            "linear_quantizing", x, mantissa, exponent, *shape, bias, y, FLOATS.index(x.dtype)
        )
        return y

    def fault(self, number: int, x: torch.Tensor, y: torch.Tensor) -> None:
        self._allow([x], [y])
        self._call("fault", number, x, torch.zeros_like(x), y)

    def count_traffic(self) -> None:
        """Begin to count, from zero, what kernels ask of global memory; of PTX alone."""
        self.library.host_count()

    def traffic(self, tensor: torch.Tensor) -> Traffic:
        """Return what was asked of a tensor that was given, or made, since."""
        self.library.host_traffic.restype = Traffic
        found: Traffic = self.library.host_traffic(pointer(tensor))
        return found

    def launches(self) -> int:
        """Return how many kernels were started so far."""
        return int(self.library.host_launches())

    def blocks(self) -> int:
        """Return how many blocks have run so far."""
        return int(self.library.host_blocks())

    def has_run(self, place: int) -> bool:
        """Whether the kernel that stands at this place of the library has run."""
        self.library.host_has_run.restype = ctypes.c_bool
        return bool(self.library.host_has_run(ctypes.c_size_t(place)))

    def _allow(self, written: list[torch.Tensor], unwritten: list[torch.Tensor]) -> None:
        """Name the tensors that the next kernels may touch."""
        self.library.host_begin(self.checked)
        if not self.checked:
            return
        for tensor in (*written, *unwritten):
            size = ctypes.c_size_t(tensor.numel() * tensor.element_size())
            mine = any(tensor is t for t in written)
            self.library.host_tensor(ctypes.c_void_p(tensor.data_ptr()), size, mine)

    def _call(self, name: str, *arguments: object) -> None:
        """Call a launcher, with pointers in place of tensors."""
        function = getattr(self.library, f"host_{name}")
        function.restype = ctypes.c_char_p
        error = function(*map(pointer, arguments))
        if error is not None:
            raise Failure(error.decode())


def pointer(argument: object) -> object:
    """Return a tensor's address, or anything else as it is."""
    return ctypes.c_void_p(argument.data_ptr()) if isinstance(argument, torch.Tensor) else argument


def unwritten(rows: int, columns: int, dtype: torch.dtype) -> torch.Tensor:
    """Return a tensor of a pattern that no result is made of."""
    memory = torch.full((rows, columns * dtype.itemsize), 0x5A, dtype=torch.uint8)
    return memory.view(dtype)
