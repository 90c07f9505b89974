"""How long a training step of SFT takes, and one of LoRA, interleaved in fresh processes.

Every process draws a batch of training reviews of its own, as training puts them together; both
ways train on it.
"""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from labs.data.batches import SORTED_AT_ONCE, batches
from labs.data.reviews import Batch, load
from labs.experiments.lora import sizes
from labs.experiments.lora.names import LORA, SFT
from labs.experiments.lora.ways import Ways
from labs.jobs.arguments import arguments_for
from labs.jobs.timing import TimingJob
from labs.measure.call import Call
from labs.measure.correctness import compare, require
from labs.measure.rounds import interleave
from labs.models.optimization import Plan, optimizer_of, update
from labs.records.names.timing import aa_arm
from labs.records.observations import Observations

STANDING = 1e-8
"""A learning rate at which many steps on one batch leave the model as it was."""


def observe(
    process: int,
    encoder: str,
    tokens: str,
    ways: dict[str, Any],
    rounds: int,
    device: str,
    seed: int,
) -> Observations:
    """Return one process's times of a training step, after comparing what both models compute."""
    seen, settings = Observations(process), Ways(**ways)
    batch = _batch(Path(tokens), settings, device, seed)
    start = settings.start_model(Path(encoder), seed)
    adapted = settings.adapted(start, seed)
    outputs = [model.to(device).eval()(batch.tokens, batch.mask) for model in (adapted, start)]
    result = compare(*(output.logits.detach() for output in outputs))
    seen.check(LORA, SFT, require(result, "adapters that have not been trained"))
    steps = {SFT: _step(start, batch, settings.sft), LORA: _step(adapted, batch, settings.lora)}
    steps[aa_arm(SFT)] = steps[SFT]
    for arm, timing in interleave(steps, rounds, random.Random(seed), device).items():
        seen.timing(arm, timing)
    return seen


def _batch(tokens: Path, ways: Ways, device: str, seed: int) -> Batch:
    """Return the first batch of an epoch."""
    number = ways.batch_size * SORTED_AT_ONCE
    reviews = load(tokens, "train", ways.max_length, number, seed)
    generator = torch.Generator().manual_seed(seed)
    return reviews.batch(batches(reviews.lengths, ways.batch_size, generator)[0], device)


def _step(model: nn.Module, batch: Batch, plan: Plan) -> Call:
    """Return a training step as in ``labs.models.training``."""
    model.train()
    optimizer = optimizer_of(model, replace(plan, learning_rate=STANDING))
    return lambda: update(model, batch, optimizer, plan.clip)


JOB = TimingJob(
    "lora",
    observe,
    sizes.SPEED,
    files=("encoder", "tokens"),
    inputs=lambda arguments: {"ways": arguments_for(arguments, Ways)},
)
