"""A linear layer followed by ReLU: the lab's example of kernel fusion.

Fusing saves one write and one read of the layer's output.  Whether torch.compile fuses depends on
the arm: by default the matrix product stays a library call followed by a ReLU kernel; with frozen
weights, Inductor may use one library call for both.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from labs.experiments.fusion.linear_relu.names import COMPILED, EAGER, FROZEN, LINEAR, RELU
from labs.measure.compiler import CompilerLog, nothing_compiled
from labs.measure.correctness import compare, require
from labs.measure.memory import peak_bytes
from labs.measure.rounds import interleave
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations
from labs.records.rows import Row


class LinearReLU(nn.Module):
    """The lab's module: a linear layer, then ReLU."""

    def __init__(self, in_features: int, out_features: int) -> None:
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.relu = nn.ReLU()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return relu(x Wᵀ + b) of shape (batch, out features) for x of (batch, in features)."""
        y: torch.Tensor = self.relu(self.linear(x))
        return y


def observe(
    seen: Observations,
    shape: Sequence[int],
    dtypes: Sequence[str],
    rounds: int,
    device: str,
    rng: random.Random,
    cold: bool,
    converged: Sequence[Row],
) -> None:
    """Check and time every number format, by torch's name, in random order.

    ``shape`` is rows and columns of the input, columns of the output. What the compiler did is
    observed where its cache is ``cold``. Cases that are ``converged`` are left out.
    """
    batch, in_features, out_features = shape
    left = [dtype for dtype in dtypes if {"dtype": dtype} not in converged]
    for dtype in rng.sample(left, len(left)):
        model = LinearReLU(in_features, out_features)
        model = model.to(device, getattr(torch, dtype)).eval()
        x = torch.randn(batch, in_features, device=device)
        _observe_format(seen, model, x.to(getattr(torch, dtype)), rng, rounds, device, cold, dtype)


def _observe_format(
    seen: Observations,
    model: LinearReLU,
    x: torch.Tensor,
    rng: random.Random,
    rounds: int,
    device: str,
    cold: bool,
    dtype: str,
) -> None:
    """Check and time all arms in one number format."""
    y = model.linear(x)
    arms: dict[str, Callable[[], torch.Tensor]] = {EAGER: partial(model, x)}
    for arm, freezing in ((COMPILED, False), (FROZEN, True)):
        compiled = torch.compile(model, options={"freezing": freezing})
        with CompilerLog() as log:
            compiled(x)
        for name in ("generated kernels", "library calls") if cold else ():
            seen.fact(name, log.counts[name], "count", arm, dtype=dtype)
        arms[arm] = partial(compiled, x)
    reference = F.relu(
        F.linear(x.double(), model.linear.weight.double(), model.linear.bias.double())
    )
    for arm, call in arms.items():
        result = compare(call(), reference)
        seen.check(arm, "float64", require(result, f"{arm}, {dtype}"), dtype=dtype)
    if seen.process == 0:
        for arm, call in arms.items():
            seen.fact("peak memory", peak_bytes(call, device), "bytes", arm, dtype=dtype)
    arms |= {
        aa_arm(EAGER): arms[EAGER],
        LINEAR: partial(model.linear, x),
        RELU: partial(F.relu, y),
    }
    with nothing_compiled():
        timings = interleave(arms, rounds, rng, device)
    for arm, timing in timings.items():
        seen.timing(arm, timing, dtype=dtype)
