"""A model, its input and a mode, run eagerly and compiled.

Modes vary what the lab's code leaves out, ``eval()`` and ``no_grad()``: "train+grad" is the lab's
own code, "eval+no_grad" the corrected one.
"""

import copy
import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from labs.experiments.compilation.names import COMPILED, EAGER, LIBRARY, PROFILED
from labs.measure.call import Call
from labs.measure.compiler import CompilerLog
from labs.measure.correctness import compare, require
from labs.measure.profiler import seconds_in
from labs.models import untrained as models
from labs.records.observations import Observations
from labs.records.rows import Comparison

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


@dataclass(frozen=True)
class Workload:
    """A model by name, and the sizes of model and input: those of images, or those of tokens."""

    model: str
    batch_size: int
    image_size: int = 0
    depths: tuple[int, ...] = ()
    sequence_length: int = 0
    layers: int = 0

    def build(self, device: str) -> tuple[nn.Module, torch.Tensor]:
        """Return the model in train() mode, as the lab leaves it, and one input batch."""
        if self.model == "resnet18":
            model = models.resnet18(self.depths)
            data = models.images(self.batch_size, self.image_size)
        else:
            model = models.Logits(models.bert_tiny(num_hidden_layers=self.layers))
            data = models.tokens(self.batch_size, self.sequence_length)
        return model.train().to(device), data.to(device)


def in_mode(model: nn.Module, mode: str) -> nn.Module:
    """Return a copy of the model in train() or eval() mode."""
    return copy.deepcopy(model).train(mode.startswith("train"))


def forward(model: Any, data: torch.Tensor, mode: str) -> Forward:
    """Return a call of the model in a mode; it enters no_grad() once per call, as users do."""
    gradients = mode.endswith("+grad")

    def call() -> torch.Tensor:
        with torch.set_grad_enabled(gradients):
            output: torch.Tensor = model(data)
        return output

    return call


def collect_garbage() -> None:
    """Collect garbage before a first call is timed.

    A full collection over what was imported, or left by earlier compilations, takes half a second,
    and would fall into this first call in one process and not in the next.
    """
    gc.collect()


def record_compilation(
    seen: Observations, first: CompilerLog, later: CompilerLog, case: Mapping[str, Any]
) -> None:
    """Record what the compiler did in the first call, and whether it compiled again later."""
    for stage, spent in first.times.items():
        seen.fact(stage, spent, "s", COMPILED, **case)
    for name, count in first.counts.items():
        seen.fact(name, count, "count", COMPILED, **case)
    seen.fact("recompilations", later.counts["graphs"], "count", COMPILED, **case)


def record_library_time(
    seen: Observations, calls: Mapping[str, Call], device: str, case: Mapping[str, Any]
) -> None:
    """Record how long a call of each arm takes under the profiler, and its library's part."""
    for arm in (EAGER, COMPILED):
        library, whole = seconds_in(LIBRARY_OPERATORS, calls[arm], device)
        seen.fact(LIBRARY, library, "s", arm, **case)
        seen.fact(PROFILED, whole, "s", arm, **case)


def agreement(
    eager_model: nn.Module, compiled: Forward, data: torch.Tensor, mode: str
) -> Comparison:
    """Compare the whole outputs of both arms; raise ArithmeticError when they do not agree.

    Compiled dropout draws other random numbers.  Such a model is compiled once more with eager's
    (Inductor's ``fallback_random``), for this comparison only.
    """
    eager = forward(eager_model, data, mode)
    random_output = eager_model.training and any(
        isinstance(module, nn.Dropout) and module.p > 0 for module in eager_model.modules()
    )
    if random_output:
        twin = torch.compile(copy.deepcopy(eager_model), options={"fallback_random": True})
        compiled = forward(twin, data, mode)
    torch.manual_seed(0)
    expected = eager()
    torch.manual_seed(0)
    return require(compare(compiled(), expected), f"torch.compile, {mode}")
