"""What torch.compile did during a block of code, by its own counters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

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
        self._spent, self._counted = self._spent_so_far(), self._counted_so_far()
        return self

    def __exit__(self, *failure: object) -> None:
        counted = self._counted_so_far()
        whole, backend, inductor = (
            after - before for after, before in zip(self._spent_so_far(), self._spent, strict=True)
        )
        self.times = {
            "Dynamo": whole - backend,
            "AOTAutograd": backend - inductor,
            "Inductor": inductor,
        }
        self.counts = {name: counted[name] - before for name, before in self._counted.items()}

    @staticmethod
    def _spent_so_far() -> list[float]:
        spent = dynamo.calculate_time_spent()
        stages = ("entire_frame_compile", "backend_compile", "inductor_compile")
        return [spent.get(stage, 0.0) for stage in stages]

    @staticmethod
    def _counted_so_far() -> dict[str, int]:
        counters = dynamo.counters
        return {
            "graphs": graphs_compiled(),
            "graph breaks": sum(counters["graph_break"].values()),
            "captured operators": counters["stats"]["calls_captured"],
            "nodes before fusion": inductor.ir_nodes_pre_fusion,
            "generated kernels": inductor.generated_kernel_count,
            "library calls": counters["inductor"]["extern_calls"],
            "attention rewrites": counters["inductor"]["fuse_attention"],
        }
