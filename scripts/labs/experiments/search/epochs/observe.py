"""The winner of the search, trained for more epochs: where it begins to overfit (question 2.1b)."""

import math
from collections.abc import Sequence
from typing import Any

import torch.nn.functional as F
from torch import nn

from labs.experiments.search import sizes, winner
from labs.experiments.search.bench import Bench
from labs.experiments.search.job import job
from labs.experiments.search.names import EPOCHS, described
from labs.experiments.search.space import architectures
from labs.models.evaluation import answers, predict_from_first
from labs.records.names.studies import Space
from labs.records.observations import Observations
from labs.records.packed import pack_losses
from labs.records.record import Record
from labs.setup.quantities import Limit

EVALUATIONS = 10
"""Of an epoch."""


def observe(
    bench: Bench,
    replicate: int,
    space: Space,
    parts: Sequence[Record],
    more_epochs: int,
    more_held_out: Limit,
) -> Observations:
    """Return what one training seed saw of the winner, which is trained for so many epochs.

    It is judged EVALUATIONS times an epoch on at most ``more_held_out`` reviews of validation.
    Losses are in bits a review; those of the training are of each batch, before its step.
    """
    reviews = bench.held_out("validation", more_held_out)

    def judge(model: nn.Module) -> dict[str, Any]:
        logits = predict_from_first(model, reviews, bench.device)
        losses = F.cross_entropy(logits, reviews.labels, reduction="none") / math.log(2)
        return {"correct": answers(logits, reviews), "held out": pack_losses(losses.numpy())}

    architecture = architectures(space)[winner.choose(parts)]
    history = bench.train(
        bench.start(architecture),
        architecture,
        EPOCHS,
        more_epochs,
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


JOB = job(observe, sizes.EPOCHS)
