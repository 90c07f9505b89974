"""A model, its input and a mode, run eagerly and compiled.

Modes vary what the lab's code leaves out, ``eval()`` and ``no_grad()``: "train+grad" is the lab's
own code, "eval+no_grad" the corrected one.
"""

import copy
import gc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import nn

from labs.experiments.compilation.names import COMPILED, EAGER, LIBRARY, PROFILED
from labs.measure.call import Call
from labs.measure.compiler import CompilerLog
from labs.measure.correctness import compare, require
from labs.measure.profiler import seconds_in
from labs.models import untrained as models
from labs.records.observations import Observations
from labs.records.rows import Case, Comparison

LIBRARY_OPERATORS = (
    "aten::mkldnn_convolution",
    "aten::_slow_conv2d_forward",
    "aten::cudnn_convolution",
    "aten::addmm",
    "aten::mm",
    "aten::bmm",
)
"""Convolutions and matrix products: their kernels are a library's, in eager and compiled code."""

Forward = Callable[[], torch.Tensor]
Taken = TypeVar("Taken")


@dataclass(frozen=True)
class Workload:
    """The sizes of a model and its input: of ResNet-18 and images, or of BERT-tiny and tokens."""

    batch_size: int
    image_size: int = 0
    depths: Sequence[int] = ()
    sequence_length: int = 0
    layers: int = 0

    def build(self, device: str) -> tuple[nn.Module, torch.Tensor]:
        """Return the model in train() mode, as the lab leaves it, and one input batch."""
        if self.image_size:
            model = models.resnet18(self.depths)
            data = models.images(self.batch_size, self.image_size)
        else:
            model = models.Logits(models.bert_tiny(num_hidden_layers=self.layers))
            data = models.tokens(self.batch_size, self.sequence_length)
        return model.train().to(device), data.to(device)


class InMode:
    """A model and its input in a mode, to be called eagerly and compiled."""

    def __init__(self, model: nn.Module, data: torch.Tensor, mode: str) -> None:
        self._model = copy.deepcopy(model).train(mode.startswith("train"))
        self._data, self._mode = data, mode
        self.eager = self._forward(self._model)

    def compiled(self, **settings: Any) -> Forward:
        """Return a call of the model, or rather of its copy, that compiles at first."""
        return self._forward(torch.compile(copy.deepcopy(self._model), **settings))

    def _forward(self, model: Any) -> Forward:
        """Return a call of a model; it enters no_grad() once per call, as users do."""

        def call() -> torch.Tensor:
            with torch.set_grad_enabled(self._mode.endswith("+grad")):
                output: torch.Tensor = model(self._data)
            return output

        return call

    def agreement(self, compiled: Forward) -> Comparison:
        """Compare the whole outputs of both; raise ArithmeticError when they do not agree.

        Compiled dropout draws other random numbers.  Such a model is compiled once more with
        eager's (Inductor's ``fallback_random``), for this comparison only.
        """
        dropouts = [one.p for one in self._model.modules() if isinstance(one, nn.Dropout)]
        if self._model.training and any(dropouts):
            compiled = self.compiled(options={"fallback_random": True})
        torch.manual_seed(0)
        expected = self.eager()
        torch.manual_seed(0)
        return require(compare(compiled(), expected), f"torch.compile, {self._mode}")


def compiling(
    seen: Observations, case: Case, calls: Callable[[int], Taken], later: int
) -> tuple[Taken, Taken]:
    """Return what the first call takes, and so many later ones; record what is compiled in each.

    Garbage is collected before.  A full collection over what was imported, or left by earlier
    compilations, takes half a second, and would fall into this first call in one process and not in
    the next.
    """
    gc.collect()
    with CompilerLog() as compilation:
        first = calls(1)
    with CompilerLog() as recompilation:
        others = calls(later)
    for stage, spent in compilation.times.items():
        seen.fact(stage, spent, "s", COMPILED, **case)
    for name, count in compilation.counts.items():
        seen.fact(name, count, "count", COMPILED, **case)
    seen.fact("recompilations", recompilation.counts["graphs"], "count", COMPILED, **case)
    return first, others


def record_libraries(
    seen: Observations, calls: Mapping[str, Call], device: str, case: Case
) -> None:
    """Record how long a call of each arm takes under the profiler, and its library's part."""
    for arm in (EAGER, COMPILED):
        library, whole = seconds_in(LIBRARY_OPERATORS, calls[arm], device)
        seen.fact(LIBRARY, library, "s", arm, **case)
        seen.fact(PROFILED, whole, "s", arm, **case)
