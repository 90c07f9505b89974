"""A model in fixed point: right after quantization (PTQ), and fine-tuned with it (QAT)."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from transformers import BertForSequenceClassification

from labs.experiments.compression import sizes
from labs.experiments.compression.bench import FILES, Bench, clean, inputs
from labs.experiments.compression.curves import follow
from labs.experiments.compression.quantization import names
from labs.formats.names import FLOAT32, fixed_point
from labs.jobs.arguments import arguments_for
from labs.jobs.job import Job
from labs.models import fixed_point as checkpoint
from labs.models.optimization import Plan
from labs.models.quantized import average_bits, zero_share
from labs.records.observations import Observations
from labs.records.rows import Case

MIDDLING: Case = {"format": fixed_point(8, 3), "epochs": 1}
"""The point at which learning rates are compared: rounding alone costs it something, not all."""


@dataclass(frozen=True)
class Curve:
    """The points of a curve: every format, for every number of epochs.

    Formats are written as width:fractional width.  0 epochs is PTQ.
    """

    name: str
    formats: Sequence[str]
    epochs: Sequence[int]

    @property
    def cases(self) -> list[Case]:
        """The points, cheapest first: by width, then by epochs."""
        return [
            {"curve": self.name, "format": spelled, "epochs": epochs}
            for spelled, epochs in product(self.formats, self.epochs)
        ]


def curves(
    widths: Sequence[int],
    integer_bits_untrained: Sequence[int],
    integer_bits_trained: Sequence[int],
    fractional_bits_untrained: Sequence[int],
    fractional_bits_trained: Sequence[int],
    epochs: Sequence[int],
) -> list[Curve]:
    """Return the curves of a replicate, by the settings of config.yaml."""

    def over_formats(integers: Sequence[int], fractions: Sequence[int], epochs: int) -> list[Curve]:
        formats = {
            names.WIDTHS: [FLOAT32, *(fixed_point(width, width // 2) for width in widths)],
            names.INTEGER_BITS: [
                fixed_point(bits + names.FRACTION, names.FRACTION) for bits in integers
            ],
            names.FRACTIONAL_BITS: [fixed_point(bits + names.INTEGERS, bits) for bits in fractions],
        }
        return [Curve(name, each, [epochs]) for name, each in formats.items()]

    return [
        *over_formats(integer_bits_untrained, fractional_bits_untrained, 0),
        *over_formats(integer_bits_trained, fractional_bits_trained, 1),
        Curve(names.EPOCHS, [fixed_point(8, 4)], epochs),
        Curve(names.ADVISED, [names.ADVISED_FORMAT], [0, 1]),
    ]


def observe(
    bench: Bench,
    base: BertForSequenceClassification,
    curves: Sequence[Curve],
    learning_rates: Sequence[float],
    save_model: Path,
) -> Observations:
    """Return a replicate's observations of every point, and of the chosen ones on the test split.

    All are trained at the rate that is the best at MIDDLING.  Of each curve over formats or epochs
    a point is chosen; the model that is chosen among widths, fine-tuned, is written to
    ``save_model``.
    """
    seen = Observations(bench.replicate)
    rate = bench.choose_rate(
        seen,
        learning_rates,
        lambda rate: make(bench, base, MIDDLING, rate)[0],
        bench.identity("quantization", base),
    )

    def at_point(seen: Observations, case: Case) -> None:
        arm, (model, loss) = arm_of(case), make(bench, base, case, rate)
        if case["epochs"]:
            seen.fact("loss", loss, "bits", arm, split="train", **case)
            seen.fact("reviews", len(bench.reviews), "count", arm, split="train", **case)
        seen.fact("average bits", average_bits(model), "bits", arm, **case)
        seen.fact("zero", zero_share(model), "share", arm, **case)
        bench.judge(seen, model, arm, case)

    def chosen(seen: Observations, case: Case) -> None:
        model, _ = make(bench, base, case, rate)
        seen.fact("chosen", case["format"], "text", arm_of(case), **case)
        bench.judge(seen, model, arm_of(case), case, split="test")

    identity = bench.identity(["quantization", rate], base)
    for curve in curves:
        follow(seen, curve.cases, at_point, bench.studies, identity)
        # It is of a single format, which was advised.
        if curve.name == names.ADVISED:
            continue
        quantized = [case for case in curve.cases if case["format"] != FLOAT32]
        case = bench.choose(seen, quantized, chosen, identity)
        if curve.name == names.WIDTHS and case["epochs"]:
            checkpoint.save(make(bench, base, case, rate)[0], case["format"], save_model)
    return seen


def arm_of(case: Case) -> str:
    return names.QAT if case["epochs"] else names.PTQ


def make(
    bench: Bench, base: BertForSequenceClassification, case: Case, rate: float
) -> tuple[BertForSequenceClassification, float]:
    """Return the quantized model, fine-tuned if there are epochs, and its training loss.

    The loss is in bits per review, 0 without training.
    """
    model = checkpoint.quantized(copy.deepcopy(base), case["format"])
    if not case["epochs"]:
        return model, 0.0
    plan = Plan(case["epochs"], rate)
    name = f"{case['format'].replace(':', '-')}.{case['epochs']}.{rate}"
    return model, bench.fine_tune(model, plan, name)


JOB = Job(
    "quantization",
    observe,
    sizes.QUANTIZATION,
    files=(*FILES, "save-model"),
    replicated=True,
    inputs=lambda arguments: (
        inputs(arguments) | {"curves": curves(**arguments_for(arguments, curves))}
    ),
    finish=clean,
)
