"""The parts of a training: its plan, optimizer and schedule, and a single update."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.lr_scheduler import OneCycleLR

from labs.data.reviews import Batch


@dataclass(frozen=True)
class Plan:
    """The hyperparameters of a training; the learning rate is the peak of the one-cycle."""

    epochs: int
    learning_rate: float
    batch_size: int = 32
    weight_decay: float = 0.01
    clip: float = 1.0


def optimizer_of(model: nn.Module, plan: Plan) -> torch.optim.AdamW:
    """Return AdamW for the parameters that require gradients."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    return torch.optim.AdamW(
        weights, lr=plan.learning_rate, weight_decay=plan.weight_decay, fused=True
    )


def update(
    model: nn.Module, batch: Batch, optimizer: torch.optim.Optimizer, clip: float
) -> torch.Tensor:
    """Make one optimizer step on a batch; return the batch's loss before the step."""
    logits = model(batch.tokens, attention_mask=batch.mask).logits
    loss = F.cross_entropy(logits, batch.labels)
    optimizer.zero_grad()
    loss.backward()
    for group in optimizer.param_groups:
        nn.utils.clip_grad_norm_(group["params"], clip)
    optimizer.step()
    return loss.detach()


def one_cycle(optimizer: torch.optim.Optimizer, plan: Plan, steps: int) -> OneCycleLR:
    """Return the schedule of the learning rate over so many steps (L. Smith and Topin, 2017).

    It rises from 1/25 of its peak in the first 30 % of them, and then falls to nearly 0 along
    cosines. torch counts learning rates, one more than steps: the last trains nothing.
    """
    return OneCycleLR(
        optimizer,
        plan.learning_rate,
        total_steps=steps + 1,
        pct_start=(0.3 * steps + 1) / (steps + 1),
        cycle_momentum=False,
    )
