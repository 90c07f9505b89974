"""A model in fixed point: right after quantization (PTQ), and trained on with it (QAT)."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from transformers import BertForSequenceClassification

from labs import classifiers, records
from labs.compression import Bench, choose
from labs.curves import Case, follow
from labs.formats import make_quantizer
from labs.measure.accuracy import unpack
from labs.measure.observations import Observations
from labs.quantization import average_bits, quantize_linears, zero_share
from labs.training import Plan

FLOAT32 = "float32"
"""The format of a model that is not quantized: what the others are compared with."""

RATES = "rates"
"""The curve of learning rates."""


@dataclass(frozen=True)
class Curve:
    """The points of a curve: every format, for every number of epochs, at every learning rate.

    Formats are written as width:fractional width.  No epochs is PTQ.
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
    """Return what a replicate saw of every point, and of the chosen one on the test split.

    The chosen model's weights are written to ``keep``.  On the curve of learning rates, which only
    shows how the rate of all other curves does, nothing is chosen.
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
    seen = follow(curve.cases, at_point, bench.replicate, bench.partial, identity)
    if curve.name != RATES:
        quantized = [case for case in curve.cases if case["format"] != FLOAT32]
        case = choose(quantized, lambda case: accuracy(seen, case))
        model, _ = make(bench, base, case)
        seen.fact("chosen", case["format"], "text", arm(case), **case)
        bench.judge(seen, model, arm(case), case, split="test")
        if keep:
            classifiers.save(model, keep)
    return seen


def arm(case: Case) -> str:
    """Return the name of the curve that a point belongs to."""
    return "QAT" if case["epochs"] else "PTQ"


def accuracy(seen: Observations, case: Case) -> float:
    """Return the share of validation reviews that were judged right at a point."""
    packed = next(
        fact["value"]
        for fact in seen.facts
        if fact["name"] == "correct" and case.items() <= fact["case"].items()
    )
    return float(unpack(packed).mean())


def make(
    bench: Bench, base: BertForSequenceClassification, case: Case
) -> tuple[BertForSequenceClassification, float]:
    """Return the base model quantized, and trained on if asked for, with its training loss."""
    model = quantized(copy.deepcopy(base), case["format"])
    if not case["epochs"]:
        return model, 0.0
    plan = Plan(case["epochs"], case["learning_rate"])
    name = f"{case['format'].replace(':', '-')}.{case['epochs']}.{case['learning_rate']}"
    return model, bench.fine_tune(model, plan, name)


def quantized(model: BertForSequenceClassification, spelled: str) -> BertForSequenceClassification:
    """Return the model with its linear layers in a format such as 8:4, in place."""
    if spelled != FLOAT32:
        quantize_linears(model, integer(spelled))
    return model


def integer(spelled: str) -> dict[str, Any]:
    """Return the configuration that 8:4 stands for; raise ValueError for words that are none."""
    width, _, frac_width = spelled.partition(":")
    config = {"name": "integer", "width": int(width), "frac_width": int(frac_width)}
    make_quantizer(config)
    return config


def chosen(record: Path) -> str:
    """Return the format that the record of a curve says was chosen."""
    facts = records.read(record)["facts"]
    return next(str(fact["value"]) for fact in facts if fact["name"] == "chosen")
