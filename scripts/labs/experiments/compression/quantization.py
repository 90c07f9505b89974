"""A model in fixed point: right after quantization (PTQ), and fine-tuned with it (QAT)."""

import copy
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from transformers import BertForSequenceClassification

from labs.experiments.compression.bench import Bench, accuracy, choose
from labs.experiments.compression.curves import Case, follow
from labs.models import fixed_point
from labs.models.optimization import Plan
from labs.models.quantized import average_bits, zero_share
from labs.records.names.quantization import ADVISED, FLOAT32, PTQ, QAT, RATES
from labs.records.observations import Observations


@dataclass(frozen=True)
class Curve:
    """The points of a curve: every format, for every number of epochs, at every learning rate.

    Formats are written as width:fractional width.  0 epochs is PTQ.
    """

    name: str
    formats: tuple[str, ...]
    epochs: tuple[int, ...]
    learning_rates: tuple[float, ...]

    @property
    def cases(self) -> list[Case]:
        """Return the points, cheapest first: by width, then by epochs."""
        return [
            {
                "curve": self.name,
                "format": spelled,
                "epochs": epochs,
                "learning_rate": rate if epochs else 0.0,
            }
            for spelled, epochs, rate in product(self.formats, self.epochs, self.learning_rates)
        ]


def observe(
    bench: Bench, base: BertForSequenceClassification, curve: Curve, keep: Path | None
) -> Observations:
    """Return a replicate's observations of every point, and of the chosen one on the test split.

    The chosen model is written to ``keep``.  Nothing is chosen on the curve of learning rates,
    which only checks the rate of the other curves, nor of the one format that was advised.
    """

    def at_point(seen: Observations, case: Case) -> None:
        model, loss = make(bench, base, case)
        if case["epochs"]:
            seen.fact("loss", loss, "bits", arm(case), split="train", **case)
            seen.fact("reviews", len(bench.reviews), "count", arm(case), split="train", **case)
        seen.fact("average bits", average_bits(model), "bits", arm(case), **case)
        seen.fact("zero", zero_share(model), "share", arm(case), **case)
        bench.judge(seen, model, arm(case), case)

    identity = bench.identity([curve.name, curve.cases], base)
    seen = follow(curve.cases, at_point, bench.replicate, bench.points, identity)
    if curve.name not in (RATES, ADVISED):
        quantized = [case for case in curve.cases if case["format"] != FLOAT32]
        case = choose(quantized, lambda case: accuracy(seen, case))
        model, _ = make(bench, base, case)
        seen.fact("chosen", case["format"], "text", arm(case), **case)
        bench.judge(seen, model, arm(case), case, split="test")
        if keep:
            fixed_point.save(model, case["format"], keep)
    return seen


def arm(case: Case) -> str:
    """Return a point's arm: PTQ or QAT."""
    return QAT if case["epochs"] else PTQ


def make(
    bench: Bench, base: BertForSequenceClassification, case: Case
) -> tuple[BertForSequenceClassification, float]:
    """Return the quantized model, fine-tuned if there are epochs, and its training loss.

    The loss is in bits per review, 0 without training.
    """
    model = fixed_point.quantized(copy.deepcopy(base), case["format"])
    if not case["epochs"]:
        return model, 0.0
    plan = Plan(case["epochs"], case["learning_rate"])
    name = f"{case['format'].replace(':', '-')}.{case['epochs']}.{case['learning_rate']}"
    return model, bench.fine_tune(model, plan, name)
