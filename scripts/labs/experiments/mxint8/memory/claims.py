"""Claims about the memory that MXINT8 saves: question 3d."""

from labs.analysis.values import Values
from labs.claims.rules import Rules
from labs.claims.statement import Rule
from labs.experiments.mxint8.memory.values import ANALYSIS
from labs.experiments.mxint8.names import LAB_MODEL, MODELS
from labs.records.record import Record

EXPERIMENT = "mxint8_memory"

MOST, NEARLY_ALL, HALF = 0.5, 0.9, 0.5
LITTLE = 0.01
"""Of the model's own bytes: what a conversion may need besides, and still be called in place."""


def rules(record: Record, values: Values) -> list[Rule]:
    claim = Rules(record, values, ANALYSIS.prefix(record), "lab4-3d")
    return [rule for model in MODELS for rule in _of_model(claim, model)]


def _of_model(claim: Rules, model: str) -> list[Rule]:
    name, lab = MODELS[model], model == LAB_MODEL
    of_model = claim.with_prefix(model).only_if(
        model in claim.spec_values("models", list(MODELS)), name
    )

    def saves(short: str, words: str, formula: str) -> Rule:
        return of_model.rule(
            short,
            f"MXINT8 saves as much of {name} as the formula for {words} says.",
            lambda s: s.exceeds(of_model.value("saved"), claim.number(f"formula.{formula}")),
        )

    return [
        saves("saves-as-sheet", "four bits", "four"),
        saves("saves-as-eight-bits", "eight bits", "eight"),
        of_model.rule(
            "as-predicted",
            f"The bytes of {name} in MXINT8 are those that follow from its shapes.",
            of_model.equals("mxint8.bytes", "predicted"),
        ),
        of_model.rule(
            "embeddings-lose-most",
            f"Most of what {name} keeps in float32 are embeddings.",
            of_model.exceeds("embeddings.part", MOST),
        ),
        of_model.rule(
            "encoder-quantized",
            f"More than nine tenths of the weights of {name} that are quantized belong to its "
            "encoder.",
            of_model.exceeds("encoder_share", NEARLY_ALL),
            against=("D-memory-encoder",) if lab else (),
        ),
        of_model.rule(
            "saves-half",
            f"MXINT8 saves more than half of the memory of {name}.",
            of_model.exceeds("saved", HALF),
        ),
        of_model.rule(
            "in-place",
            f"Converting {name} layer by layer never needs much more than the model itself.",
            lambda s: s.at_most(
                of_model.ratio("conversion.package.extra", "float32.bytes", "share"), LITTLE
            ),
        ),
        of_model.rule(
            "loop-holds-both",
            f"The lab's loop over named_modules() holds every converted layer of {name} twice "
            "before it ends: in float32 and in MXINT8.",
            of_model.holds("conversion.loop.over_twice", lambda ratio: ratio >= 1),
        ),
        of_model.rule(
            "decoding-costs",
            "Decoding each weight whole in every call, as the lab's layer does, lowers what "
            f"{name} saves at its peak.",
            of_model.counts_any("mxint8-decoded-whole.peak_lost"),
            against=("A-kernel-fused",) if lab else (),
        ),
    ]
