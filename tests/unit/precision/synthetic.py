"""A record of the mixed-precision searches with known accuracies, as its program would write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from labs.records.answers import pack
from labs.records.names.formats import FORMATS
from labs.records.names.precision import (
    ALL,
    ALL_QUANTIZED,
    COST,
    DIRECT,
    EACH,
    EVERYTHING,
    GRADIENT,
    LAB_PAIRS,
    LINEARS,
    ON_INPUTS,
    PAIRS,
    PAIRS_QUANTIZED,
    PAIRS_TRAINED,
    SAME,
    TEST,
    TRAINING,
    TRIALS,
    UNIFORM,
    VALIDATION,
    WITHOUT_SCALE,
    penalized,
)
from labs.records.names.quantization import FLOAT32
from labs.records.names.studies import NSGA2, RANDOM, TPE
from tests.unit.synthetic import Row, fact, record

REVIEWS = 2000
LAYERS = ("bert.encoder.layer.0.attention.self.query", "bert.pooler.dense", "classifier")
PENALTIES = (0.001, 0.01)
BASE = 0.80
WIDTHS = (3, 8)
TRIAL_BITS = (6.0, 5.0, 4.0)


def answers(share: float) -> str:
    """Answers of which the first ones are right: two models differ in as few as they must."""
    return pack(np.arange(REVIEWS) < round(share * REVIEWS))


class Maker:
    """Collects the facts of one replicate."""

    def __init__(self, replicate: int, accuracies: Mapping[str, float]) -> None:
        self.replicate, self.accuracies = replicate, dict(accuracies)
        self.facts: list[Row] = []

    def add(self, name: str, value: float | str, unit: str, arm: str, **case: Any) -> None:
        """Add a fact."""
        self.facts.append(fact(self.replicate, name, value, unit, arm, **case))

    def model(
        self, arm: str, share: float, bits: float, formats: list[str], split: str, **case: Any
    ) -> None:
        """Add the facts of a model on some reviews."""
        whole = {"split": split, **case}
        self.add("correct", answers(share), "text", arm, **whole)
        self.add("loss", 1 - share, "bits", arm, **whole)
        self.add("bits", bits, "bits", arm, **whole)
        self.add("formats", "; ".join(formats), "text", arm, **whole)

    def search(
        self, name: str, part: str, choices: list[str], penalty: float = 0.0, two: bool = False
    ) -> None:
        """Add a search whose trials rise to its winner."""
        case = {"part": part, "penalty": penalty, "two": two}
        self.add("choices", "; ".join(choices), "text", name, **case)
        best = self.accuracies.get(name, BASE)
        chosen = [choices[place % len(choices)] for place in range(len(LAYERS))]
        for number, bits in enumerate(TRIAL_BITS, 1):
            share = best - 0.01 * (len(TRIAL_BITS) - number)
            self.model(name, share, bits, chosen, TRIALS, role="trial", trial=number)
        if not two:
            bits = self.accuracies.get(f"{name} bits", 4.0)
            for split in (VALIDATION, TEST) if part != EACH else (VALIDATION,):
                self.model(name, best, bits, chosen, split, role="winner")


def precision(accuracies: Mapping[str, float] | None = None, replicates: int = 1) -> Row:
    """The record; ``accuracies`` are those of searches and of models of one format, by name."""
    facts: list[Row] = []
    for replicate in range(replicates):
        maker = Maker(replicate, accuracies or {})
        _uniform(maker)
        for name in (PAIRS, PAIRS_QUANTIZED, PAIRS_TRAINED):
            maker.search(name, PAIRS, [FLOAT32, *LAB_PAIRS])
        for name in FORMATS:
            maker.search(name, EACH, [FLOAT32, name])
        # Each replicate finds another format to be the best.
        study = list(FORMATS)[replicate]
        maker.model(EACH, BASE, 8, [study] * 3, TEST, role="winner", study=study)
        for name in (ALL, ALL_QUANTIZED):
            maker.search(name, ALL, [FLOAT32, *FORMATS])
        _cost(maker)
        facts += maker.facts
    spec = {"trials": len(TRIAL_BITS), "startup": 2, "finalists": 1}
    return record("precision", spec, facts=facts)


def _uniform(maker: Maker) -> None:
    maker.add("layers", "; ".join(LAYERS), "text", UNIFORM)
    for split in (TRIALS, VALIDATION, TEST):
        maker.model(UNIFORM, BASE, 32, [FLOAT32] * 3, split, spelled=FLOAT32)
    with_width = [name for name, configuration in FORMATS.items() if "width" in configuration]
    widths = [f"{name} {width}" for name in with_width for width in WIDTHS]
    without = [name for name in FORMATS if name not in with_width]
    for spelled in (*LAB_PAIRS, *widths, *without, EVERYTHING, WITHOUT_SCALE, ON_INPUTS):
        share = maker.accuracies.get(f"{spelled} alone", BASE)
        maker.model(UNIFORM, share, 8, [spelled] * 3, VALIDATION, spelled=spelled)
    best = "integer 8:4"
    maker.model(UNIFORM, BASE, 8, [best] * 3, TEST, spelled=best, role="best pair")
    for arm, size in ((FLOAT32, 100), (LINEARS, 90), (EVERYTHING, 25)):
        maker.add("bytes", size, "bytes", arm)


def _cost(maker: Maker) -> None:
    choices = [f"block_fp {width}" for width in WIDTHS]
    for penalty in PENALTIES:
        maker.search(penalized(penalty), COST, choices, penalty)
    for sampler in (NSGA2, TPE, RANDOM):
        maker.search(sampler, COST, choices, two=True)
    maker.add("training loss", 0.2, "bits", DIRECT)
    for number, layer in enumerate(LAYERS):
        for width in WIDTHS:
            for way, scale in ((DIRECT, 1.0), (GRADIENT, 0.1)):
                score = scale * (number + 1) / width
                case = {"layer": layer, "spelled": f"block_fp {width}"}
                maker.add("score", score, "bits", way, **case)
    for penalty in PENALTIES:
        study = penalized(penalty)
        for way in (DIRECT, GRADIENT, SAME):
            share = maker.accuracies.get(way, BASE)
            maker.model(way, share, 4, ["block_fp 3"] * 3, TEST, study=study)
            if way != SAME:
                maker.add("predicted", 0.1, "bits", way, study=study)
                maker.model(way, share, 4, ["block_fp 3"] * 3, TRAINING, study=study)
