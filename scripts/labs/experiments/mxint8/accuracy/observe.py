"""The accuracy of the trained base model before and after MXINT8, on the same reviews."""

from pathlib import Path
from typing import Literal

from labs.data.reviews import load
from labs.experiments.mxint8 import sizes
from labs.experiments.mxint8.names import BOTH, FLOAT32, WEIGHTS
from labs.experiments.mxint8.package import SKIP, quantize_model_
from labs.jobs.job import Job
from labs.models import classifiers
from labs.models.evaluation import answers, predict
from labs.records.observations import Observations
from labs.setup.quantities import Limit

ARMS: dict[str, Literal["float", "mxint8"] | None] = {
    FLOAT32: None,
    WEIGHTS: "float",
    BOTH: "mxint8",
}


def observe(
    model: Path,
    tokens: Path,
    max_length: int,
    held_out: Limit,
    group_size: int,
    replicate: int,
    device: str,
) -> Observations:
    """Return which test reviews each arm classifies correctly; nothing is chosen by them."""
    seen = Observations(replicate)
    reviews = load(tokens, "test", max_length, held_out)
    for arm, activations in ARMS.items():
        classifier = classifiers.load(model)
        if activations is not None:
            quantize_model_(classifier, group_size, skip=(SKIP,), activations=activations)
        seen.fact("reviews", len(reviews), "count", arm)
        logits = predict(classifier, reviews, device)
        seen.fact("correct", answers(logits, reviews), "text", arm)
    return seen


JOB = Job("mxint8_accuracy", observe, sizes.ACCURACY, files=("model", "tokens"), replicated=True)
