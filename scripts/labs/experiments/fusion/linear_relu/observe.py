"""A linear layer followed by ReLU: the lab's example of kernel fusion.

Fusing saves one write and one read of the layer's output.  Whether torch.compile fuses depends on
the arm: by default the matrix product stays a library call followed by a ReLU kernel; with frozen
weights, Inductor may use one library call for both.
"""

from collections.abc import Sequence
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn

from labs.experiments.fusion.linear_relu.names import COMPILED, EAGER, FROZEN, LINEAR, MADE, RELU
from labs.experiments.fusion.run import Output, Run
from labs.records.names.timing import aa_arm
from labs.records.rows import Case


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


def observe(run: Run, shape: Sequence[int], dtypes: Sequence[str]) -> None:
    """Check and time every number format, by torch's name, in random order.

    ``shape`` is rows and columns of the input, columns of the output.
    """
    batch, in_features, out_features = shape
    for case in run.left({"dtype": dtype} for dtype in dtypes):
        dtype = getattr(torch, case["dtype"])
        model = LinearReLU(in_features, out_features).to(run.device, dtype).eval()
        x = torch.randn(batch, in_features, device=run.device).to(dtype)
        _observe_format(run, model, x, case)


def _observe_format(run: Run, model: LinearReLU, x: torch.Tensor, case: Case) -> None:
    """Check and time all arms in one number format."""
    linear, y = model.linear, model.linear(x)
    arms: dict[str, Output] = {EAGER: partial(model, x)}
    for arm, freezing in ((COMPILED, False), (FROZEN, True)):
        options = {"freezing": freezing}
        compiled = run.compiled(arm, model, [x], case, MADE.values(), options=options)
        arms[arm] = partial(compiled, x)
    reference = F.relu(F.linear(x.double(), linear.weight.double(), linear.bias.double()))
    run.check(arms, reference, case)
    run.weigh(arms, case)
    alone = {LINEAR: partial(linear, x), RELU: partial(F.relu, y)}
    run.time({**arms, aa_arm(EAGER): arms[EAGER], **alone}, case)
