"""The winner of the search, trained for more epochs: where it begins to overfit (question 2.1b)."""

import argparse
import math
from dataclasses import replace
from typing import Any

import torch.nn.functional as F
from torch import nn

from labs.experiments.search import sizes, winner
from labs.experiments.search.bench import Bench
from labs.experiments.search.inputs import FILES, bench, parts, space
from labs.experiments.search.names import EPOCHS, Architecture, described
from labs.experiments.search.space import architectures
from labs.jobs.job import Job
from labs.models.evaluation import answers, predict
from labs.records.observations import Observations
from labs.records.packed import pack_losses
from labs.setup.quantities import Limit

EVALUATIONS = 10
"""Of an epoch."""


def observe(
    bench: Bench, replicate: int, architecture: Architecture, more_epochs: int, more_held_out: Limit
) -> Observations:
    """Return what one training seed saw of an architecture that is trained for so many epochs.

    It is judged EVALUATIONS times an epoch on at most ``more_held_out`` reviews of validation.
    Losses are in bits a review; those of the training are of each batch, before its step.
    """
    reviews = bench.held_out("validation", more_held_out)

    def judge(model: nn.Module) -> dict[str, Any]:
        logits = predict(model, reviews, bench.device)
        losses = F.cross_entropy(logits, reviews.labels, reduction="none") / math.log(2)
        return {"correct": answers(logits, reviews), "held out": pack_losses(losses.numpy())}

    model = bench.start(architecture)
    history = bench.train(
        model,
        architecture,
        EPOCHS,
        replace(bench.plan, epochs=more_epochs),
        evaluate=judge,
        parts=EVALUATIONS,
        depends_on={"held out": len(reviews)},
    )
    seen = Observations(replicate)
    step = 0
    for entry in history:
        for loss in entry["losses"]:
            step += 1
            seen.fact("loss", loss / math.log(2), "bits", EPOCHS, split="train", step=step)
        case = {"split": "validation", "step": step}
        seen.fact("losses", entry["held out"], "text", EPOCHS, **case)
        seen.fact("correct", entry["correct"], "text", EPOCHS, **case)
    seen.fact("batches", step // more_epochs, "count", EPOCHS, architecture=described(architecture))
    bench.forget(architecture, EPOCHS)
    return seen


def _inputs(arguments: argparse.Namespace) -> dict[str, Any]:
    best = architectures(space(arguments))[winner.choose(parts(arguments))]
    return bench(arguments) | {"architecture": best}


JOB = Job("search", observe, sizes.EPOCHS, files=(*FILES, "parts"), replicated=True, inputs=_inputs)
