"""Claims about the memory that MXINT8 saves: question 3d."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from labs.analysis.frame import Value, exactly
from labs.analysis.mxint8.memory import prefix, values
from labs.claims.claim import Claim, Rule, Statement
from labs.records.record import MEASURED, Record

QUESTION = "lab4-3d"
LAB_MODEL, SMALL_MODEL = "deberta-xlarge", "deberta-v3-small"
MODELS = {LAB_MODEL: "DeBERTa-xlarge", SMALL_MODEL: "DeBERTa-v3-small"}
MOST, NEARLY_ALL, HALF = 0.5, 0.9, 0.5
LITTLE = 0.01
"""Of the model's own bytes: what a conversion may need besides, and still be called in place."""


def rules(record: Record) -> list[Rule]:
    """Return what is asserted about the models on a device, and how each is judged."""
    run = record["spec"]["models"] if record["status"] == MEASURED else list(MODELS)

    @cache
    def found() -> dict[str, Value]:
        return values(record)

    def of_model(model: str) -> list[Rule]:
        name, start = MODELS[model], f"{prefix(record)}.{model}"
        missing = "" if model in run else f"this preset does not run {name}"
        lab = model == LAB_MODEL

        def value(short: str) -> Value:
            return found()[f"{start}.{short}"]

        def number(short: str) -> float:
            return value(short).estimate.value

        def rule(
            short: str,
            words: str,
            judge: Callable[[Statement], Claim],
            like: tuple[str, ...] = (),
            against: tuple[str, ...] = (),
        ) -> Rule:
            statement = Statement(
                f"{start}.{short}", QUESTION, record["device"], words, like, against
            )
            return Rule(statement, judge, missing)

        def saves(short: str, words: str, formula: str, like: tuple[str, ...]) -> Rule:
            return rule(
                short,
                f"MXINT8 saves as much of {name} as the formula for {words} says.",
                lambda s: s.above(
                    value("saved"), found()[f"{prefix(record)}.formula.{formula}"].estimate.value
                ),
                like=like if lab else (),
            )

        return [
            saves("saves-as-sheet", "four bits", "four", like=("L-memory-formula",)),
            saves("saves-as-eight-bits", "eight bits", "eight", like=("L-memory-eight-bits",)),
            rule(
                "as-predicted",
                f"The bytes of {name} in MXINT8 are those that follow from its shapes.",
                lambda s: s.holds(
                    value("mxint8.bytes"), number("mxint8.bytes") == number("predicted")
                ),
            ),
            rule(
                "embeddings-lose-most",
                f"Most of what {name} keeps in float32 are embeddings.",
                lambda s: s.above(value("embeddings.part"), MOST),
            ),
            rule(
                "encoder-quantized",
                f"More than nine tenths of the weights of {name} that are quantized belong to its "
                "encoder.",
                lambda s: s.above(value("encoder_share"), NEARLY_ALL),
                against=("D-memory-encoder",) if lab else (),
            ),
            rule(
                "saves-half",
                f"MXINT8 saves more than half of the memory of {name}.",
                lambda s: s.above(value("saved"), HALF),
            ),
            rule(
                "in-place",
                f"Converting {name} layer by layer never needs much more than the model itself.",
                lambda s: s.below(
                    exactly(number("conversion.package.extra") / number("float32.bytes"), "share"),
                    LITTLE,
                ),
            ),
            rule(
                "loop-holds-both",
                f"The lab's loop over named_modules() holds every converted layer of {name} twice "
                "before it ends: in float32 and in MXINT8.",
                lambda s: s.holds(
                    value("conversion.loop.peak"),
                    number("conversion.loop.peak") >= number("twice.bytes"),
                ),
            ),
            rule(
                "decoding-costs",
                f"Decoding each weight whole in every call, as the lab's layer does, lowers what "
                f"{name} saves at its peak.",
                lambda s: s.holds(
                    value("mxint8-decoded-whole.peak_saved"),
                    number("mxint8-decoded-whole.peak_saved") < number("mxint8.peak_saved"),
                ),
            ),
        ]

    return [one for model in MODELS for one in of_model(model)]
