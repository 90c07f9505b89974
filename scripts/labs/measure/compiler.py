"""What torch.compile did during a block of code, by its own counters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch._dynamo import utils as dynamo
from torch._inductor import metrics as inductor


def graphs_compiled() -> int:
    """Return how many graphs Dynamo has compiled in this process; a rise means recompilation."""
    return int(dynamo.counters["stats"]["unique_graphs"])


@contextmanager
def nothing_compiled() -> Iterator[None]:
    """Raise RuntimeError where a ``with`` block that takes samples has compiled a graph."""
    before = graphs_compiled()
    yield
    if graphs_compiled() != before:
        raise RuntimeError("torch.compile recompiled while it was timed: the samples are invalid")


class CompilerLog:
    """Counts and times of the compilations inside a ``with`` block.

    ``times`` (seconds): Dynamo (bytecode to graph), AOTAutograd (graph to forward and backward
    graphs of core operators) and Inductor (these to compiled kernels); each excludes the stage that
    it calls.  ``counts``: graphs, graph breaks, captured operators, Inductor's nodes before fusion,
    generated kernels, calls of library kernels, and attention patterns rewritten into the fused
    operator.
    """

    def __enter__(self) -> CompilerLog:
        self._before = self._read()
        return self

    def __exit__(self, *failure: object) -> None:
        after = self._read()
        change = {name: after[name] - before for name, before in self._before.items()}
        self.times: dict[str, float] = {
            "Dynamo": change["entire_frame_compile"] - change["backend_compile"],
            "AOTAutograd": change["backend_compile"] - change["inductor_compile"],
            "Inductor": change["inductor_compile"],
        }
        self.counts: dict[str, int] = {
            name: int(change[name])
            for name in (
                "graphs",
                "graph breaks",
                "captured operators",
                "nodes before fusion",
                "generated kernels",
                "library calls",
                "attention rewrites",
            )
        }

    @staticmethod
    def _read() -> dict[str, Any]:
        spent = dynamo.calculate_time_spent()
        counters = dynamo.counters
        return {
            "entire_frame_compile": spent.get("entire_frame_compile", 0.0),
            "backend_compile": spent.get("backend_compile", 0.0),
            "inductor_compile": spent.get("inductor_compile", 0.0),
            "graphs": graphs_compiled(),
            "graph breaks": sum(counters["graph_break"].values()),
            "captured operators": counters["stats"]["calls_captured"],
            "nodes before fusion": inductor.ir_nodes_pre_fusion,
            "generated kernels": inductor.generated_kernel_count,
            "library calls": counters["inductor"]["extern_calls"],
            "attention rewrites": counters["inductor"]["fuse_attention"],
        }
