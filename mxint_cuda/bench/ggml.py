"""llama.cpp's product with a weight in Q8_0: a float16 scale for every 32 int8, beside them.

It is called by its C interface, ggml, with the weight as files hold it.  (For AMX llama.cpp
rearranges the weight.  That is left out: called so, it ended in a fault.)
"""

import ctypes
from collections.abc import Callable
from ctypes import c_bool, c_int, c_int64, c_size_t, c_void_p
from functools import cache
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import torch

F32, Q8_0 = 0, 8  # of enum ggml_type
POOL_BYTES = 1 << 16  # for what describes a few tensors; their data are elsewhere


class Pool(ctypes.Structure):
    """struct ggml_init_params"""

    _fields_ = [("bytes", c_size_t), ("memory", c_void_p), ("no_alloc", c_bool)]


@cache
def libraries() -> list[ctypes.CDLL]:
    """Return the libraries that llama-cpp-python brings."""
    spec = util.find_spec("llama_cpp")
    assert spec is not None and spec.submodule_search_locations
    folder = Path(spec.submodule_search_locations[0]) / "lib"
    return [ctypes.CDLL(str(folder / f"libggml-{name}.so")) for name in ("base", "cpu")]


def function(name: str, result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return ggml_NAME, with the types that it has, which ctypes cannot know."""
    full = f"ggml_{name}"
    found = next(getattr(one, full) for one in libraries() if hasattr(one, full))
    found.restype, found.argtypes = result, arguments
    return found  # type: ignore[no-any-return]


class Layer:
    """A weight of (outputs, inputs), int8 with float32 scales (powers of two), in Q8_0."""

    def __init__(self, mantissa: torch.Tensor, scale: torch.Tensor, threads: int) -> None:
        """Hand the weight over."""
        self.outputs, self.inputs = mantissa.shape
        handle = c_void_p
        self.backend = function("backend_cpu_init", handle)()
        function("backend_cpu_set_n_threads", None, handle, c_int)(self.backend, threads)
        self.new = function("new_tensor_2d", handle, handle, c_int, c_int64, c_int64)
        self.allocate = function("backend_alloc_ctx_tensors", handle, handle, handle)
        self.set = function("backend_tensor_set", None, handle, handle, c_size_t, c_size_t)
        self.get = function("backend_tensor_get", None, handle, handle, c_size_t, c_size_t)
        self.compute = function("backend_graph_compute", c_int, handle, handle)
        self.graphs: dict[int, tuple[int, int, int]] = {}
        pool = self._pool()
        self.weight = self.new(pool, Q8_0, self.inputs, self.outputs)
        self.allocate(pool, self.backend)
        blocks = np.empty(scale.numel(), np.dtype([("scale", "<f2"), ("numbers", "i1", 32)]))
        blocks["scale"] = scale.numpy().ravel()
        blocks["numbers"] = mantissa.numpy().reshape(-1, 32)
        self.set(self.weight, blocks.ctypes.data, 0, blocks.nbytes)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        """Return x W^T for x of (rows, inputs), float32."""
        rows = x.shape[0]
        if rows not in self.graphs:
            self.graphs[rows] = self._graph(rows)
        graph, given, result = self.graphs[rows]
        y = torch.empty(rows, self.outputs)
        self.set(given, x.data_ptr(), 0, x.nbytes)
        if self.compute(self.backend, graph) != 0:
            raise RuntimeError("ggml did not compute")
        self.get(result, y.data_ptr(), 0, y.nbytes)
        return y

    def _pool(self) -> int:
        """Return a new pool of descriptions of tensors."""
        return int(function("init", c_void_p, Pool)(Pool(POOL_BYTES, None, True)))

    def _graph(self, rows: int) -> tuple[int, int, int]:
        """Return the graph of a product with so many rows, its operand and its result."""
        handle = c_void_p
        pool = self._pool()
        x = self.new(pool, F32, self.inputs, rows)
        y = function("mul_mat", handle, handle, handle, handle)(pool, self.weight, x)
        graph = function("new_graph_custom", handle, handle, c_size_t, c_bool)(pool, 8, False)
        function("build_forward_expand", None, handle, handle)(graph, y)
        self.allocate(pool, self.backend)
        return graph, x, y
