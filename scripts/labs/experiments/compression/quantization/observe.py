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


@dataclass(frozen=True)
class Curve:
    """The points of a curve: every format, for every number of epochs, at every learning rate.

    Formats are written as width:fractional width.  0 epochs is PTQ.
    """

    name: str
    formats: Sequence[str]
    epochs: Sequence[int]
    learning_rates: Sequence[float]

    @property
    def cases(self) -> list[Case]:
        """The points, cheapest first: by width, then by epochs."""
        return [
            {"curve": self.name, "format": spelled, "epochs": epochs}
            | {"learning_rate": rate if epochs else 0.0}
            for spelled, epochs, rate in product(self.formats, self.epochs, self.learning_rates)
        ]


def curves(
    widths: Sequence[int],
    integer_bits_untrained: Sequence[int],
    integer_bits_trained: Sequence[int],
    fractional_bits_untrained: Sequence[int],
    fractional_bits_trained: Sequence[int],
    epochs: Sequence[int],
    learning_rate: float,
    learning_rates: Sequence[float],
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
        return [Curve(name, each, [epochs], [learning_rate]) for name, each in formats.items()]

    return [
        *over_formats(integer_bits_untrained, fractional_bits_untrained, 0),
        *over_formats(integer_bits_trained, fractional_bits_trained, 1),
        Curve(names.EPOCHS, [fixed_point(8, 4)], epochs, [learning_rate]),
        Curve(names.RATES, [fixed_point(8, 3)], [1], learning_rates),
        Curve(names.ADVISED, [names.ADVISED_FORMAT], [0, 1], [learning_rate]),
    ]


def observe(
    bench: Bench, base: BertForSequenceClassification, curves: Sequence[Curve], save_model: Path
) -> Observations:
    """Return a replicate's observations of every point, and of the chosen ones on the test split.

    Of each curve over formats or epochs a point is chosen; the model that is chosen among widths,
    fine-tuned, is written to ``save_model``.
    """

    def at_point(seen: Observations, case: Case) -> None:
        arm, (model, loss) = arm_of(case), make(bench, base, case)
        if case["epochs"]:
            seen.fact("loss", loss, "bits", arm, split="train", **case)
            seen.fact("reviews", len(bench.reviews), "count", arm, split="train", **case)
        seen.fact("average bits", average_bits(model), "bits", arm, **case)
        seen.fact("zero", zero_share(model), "share", arm, **case)
        bench.judge(seen, model, arm, case)

    def chosen(seen: Observations, case: Case) -> None:
        model, _ = make(bench, base, case)
        seen.fact("chosen", case["format"], "text", arm_of(case), **case)
        bench.judge(seen, model, arm_of(case), case, split="test")

    seen = Observations(bench.replicate)
    identity = bench.identity("quantization", base)
    for curve in curves:
        follow(seen, curve.cases, at_point, bench.studies, identity)
        # One checks the rate of the others, and one is of a single format, which was advised.
        if curve.name in (names.RATES, names.ADVISED):
            continue
        quantized = [case for case in curve.cases if case["format"] != FLOAT32]
        case = bench.choose(seen, quantized, chosen, identity)
        if curve.name == names.WIDTHS and case["epochs"]:
            checkpoint.save(make(bench, base, case)[0], case["format"], save_model)
    return seen


def arm_of(case: Case) -> str:
    return names.QAT if case["epochs"] else names.PTQ


def make(
    bench: Bench, base: BertForSequenceClassification, case: Case
) -> tuple[BertForSequenceClassification, float]:
    """Return the quantized model, fine-tuned if there are epochs, and its training loss.

    The loss is in bits per review, 0 without training.
    """
    model = checkpoint.quantized(copy.deepcopy(base), case["format"])
    if not case["epochs"]:
        return model, 0.0
    plan = Plan(case["epochs"], case["learning_rate"])
    name = f"{case['format'].replace(':', '-')}.{case['epochs']}.{case['learning_rate']}"
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
