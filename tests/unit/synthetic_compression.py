"""Records of compressed models with known accuracies, as the programs of Lab 1 would write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from labs.analysis.compression.pruning import CURVES
from labs.records.answers import pack
from tests.unit.synthetic import Row, fact, record, sample

REVIEWS, SEEDS = 1000, 2
WIDTHS = ("4:2", "8:4", "16:8")
INTEGER, FRACTIONAL = (1, 2, 3, 5, 7, 10), (2, 3, 4, 8, 27)
SPARSITIES = (0.1, 0.3, 0.5, 0.7, 0.9)


def answers(share: float) -> str:
    """Answers of which the first are correct, so that two models differ in as few as possible."""
    return pack(np.arange(REVIEWS) < round(share * REVIEWS))


def correct(seed: int, share: float, arm: str, split: str = "validation", **case: Any) -> Row:
    """One row of answers."""
    return fact(seed, "correct", answers(share), "text", arm, split=split, **case)


def quantization(
    float32: float = 0.83,
    trained: float = 0.83,
    ptq: Mapping[str, float] | None = None,
    qat: Mapping[str, float] | None = None,
    rates: Mapping[float, float] | None = None,
    epochs: Mapping[int, float] | None = None,
    seeds_differ: float = 0.0,
) -> Row:
    """Fixed-point models; formats that ``ptq`` and ``qat`` do not name are as good as float32."""
    ptq, qat = ptq or {"4:2": 0.5}, qat or {"4:2": 0.5}
    facts: list[Row] = []
    known: Row
    sweeps = {
        "widths": WIDTHS,
        "integer-bits": [f"{n + 4}:4" for n in INTEGER],
        "fractional-bits": [f"{n + 5}:{n}" for n in FRACTIONAL],
    }
    for curve, formats in sweeps.items():
        known = {"format": "float32", "curve": curve, "epochs": 0, "learning_rate": 0.0}
        spelled = ["float32", *formats] if curve == "widths" else formats
        for one in spelled:
            case = {**known, "format": one}
            share = float32 if one == "float32" else ptq.get(one, float32)
            facts += _point(0, "PTQ", share, case)
        facts += _chosen(0, "PTQ", float32, {**known, "format": formats[-1]})
        for seed in range(SEEDS):
            known = {"curve": curve, "epochs": 1, "learning_rate": 0.001}
            for one in spelled:
                share = trained if one == "float32" else qat.get(one, trained)
                shift = seeds_differ * (1 - 2 * seed) if one != "float32" else 0.0
                facts += _point(seed, "QAT", share + shift, {**known, "format": one})
            facts += _chosen(seed, "QAT", trained, {**known, "format": formats[-1]})
    for seed in range(SEEDS):
        for number, share in (epochs or {1: 0.83, 2: 0.84, 4: 0.8}).items():
            case = {"curve": "epochs", "format": "8:4", "epochs": number, "learning_rate": 0.001}
            facts += _point(seed, "QAT", share, case)
        facts += _chosen(seed, "QAT", 0.83, case)
        for arm, of_arm, number in (("PTQ", ptq, 0), ("QAT", qat, 1)):
            case = {"curve": "advised", "format": "8:5", "epochs": number}
            case["learning_rate"] = 0.001 * number
            facts += _point(seed, arm, of_arm.get("8:5", trained if number else float32), case)
        for rate, share in (rates or {0.0003: 0.7, 0.001: 0.8}).items():
            case = {"curve": "rates", "format": "8:3", "epochs": 1, "learning_rate": rate}
            facts += _point(seed, "QAT", share, case)
    facts.append(fact(0, "reviews", 512, "count", "QAT", split="train", curve="widths"))
    return record("quantization", {"max_length": 128, "reviews": 64}, facts=facts)


def _point(seed: int, arm: str, share: float, case: Row) -> list[Row]:
    found = [correct(seed, share, arm, **case)]
    found.append(
        fact(seed, "zero", 0.99 if case["format"] in ("4:2", "7:2") else 0.7, "share", arm, **case)
    )
    if arm == "QAT":
        found.append(fact(seed, "loss", 0.3, "bits", arm, split="train", **case))
    return found


def _chosen(seed: int, arm: str, share: float, case: Row) -> list[Row]:
    return [
        fact(seed, "chosen", case["format"], "text", arm, **case),
        correct(seed, share - 0.01, arm, "test", **case),
    ]


def pruning(
    accuracies: Mapping[str, float] | None = None,
    trained: Mapping[str, float] | None = None,
    achieved: float = 0.0,
    zeros: float = 0.75,
) -> Row:
    """Pruned models: accuracies at sparsity 0.9 by curve, falling linearly from 0.83 at zero."""
    lowest = {
        "l1": 0.8,
        "random": 0.5,
        "l1-global": 0.82,
        "l1-stale": 0.7,
        "l1-activations": 0.7,
        "random-activations": 0.5,
        "l1-both": 0.55,
        "random-both": 0.5,
    } | dict(accuracies or {})
    after = {"l1": 0.82, "random": 0.6} | dict(trained or {})
    facts: list[Row] = []
    for curve in CURVES:
        for sparsity in (0.0, *SPARSITIES) if curve == "l1" else SPARSITIES:
            for epochs, at_most in ((0, lowest), (1, after)):
                if curve not in at_most:
                    continue
                share = 0.83 + (at_most[curve] - 0.83) * sparsity / 0.9
                case: Row = {"curve": curve, "sparsity": sparsity, "epochs": epochs}
                for seed in range(SEEDS):
                    facts.append(correct(seed, share, "pruned", **case))
                    pruned = sparsity + achieved
                    facts.append(fact(seed, "pruned", pruned, "share", "pruned", **case))
                    zero = max(zeros, sparsity)
                    facts.append(fact(seed, "zero", zero, "share", "pruned", **case))
        if curve in after:
            case = {"curve": curve, "sparsity": 0.5, "epochs": 1}
            facts += [correct(seed, 0.8, "pruned", "test", **case) for seed in range(SEEDS)]
    spec = {"max_length": 128, "reviews": 64, "learning_rate": 0.001}
    return record("pruning", spec, facts=facts)


def ranges(weight: float = 0.2, inputs: float = 8.0, parameters: int = 1000) -> Row:
    """The ranges of one layer of 100 parameters, with these largest magnitudes."""
    facts = [fact(0, "parameters", parameters, "count", "model")]
    for kind, reach in (("weight", weight), ("bias", 0.1), ("input", inputs)):
        case = {"layer": "bert.encoder.layer.0.attention.self.query"}
        facts.append(fact(0, "values", 50, "count", kind, **case))
        for quantile in (0.0, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 1.0):
            value = reach * (2 * quantile - 1)
            facts.append(fact(0, "quantile", value, "ratio", kind, quantile=quantile, **case))
        for bits in range(1, 11):
            share = max(0.0, 1 - 2 ** (bits - 1) / reach)
            facts.append(fact(0, "saturated", share, "share", kind, integer_bits=bits, **case))
    return record("ranges", {}, facts=facts)


def formats(mase_error: float = 0.06, kept: float = 0.001, mase: float = 0.5) -> Row:
    """Every number format in each of its modes; the arguments describe MASE's."""
    nearest = [
        *("integer", "minifloat_denorm", "minifloat_ieee", "log", "block_fp"),
        *("block_minifloat", "block_log", "binary", "binary_scaling", "mxint8"),
    ]
    twice = ("minifloat_denorm", "minifloat_ieee", "block_fp", "block_minifloat", "mxint8")
    found = [(name, "nearest", 0.05, 0.99, 0.6 if name == "binary" else 0.83) for name in nearest]
    found += [(name, "mase", mase_error, kept, mase) for name in twice]
    found.append(("block_fp over all rows", "mase", mase_error, kept, mase))
    facts = []
    for name, mode, error, share, accuracy in found:
        case = {"format": name, "mode": mode}
        facts.append(correct(0, accuracy, "format", **case))
        facts.append(fact(0, "average bits", 8, "bits", "format", **case))
        facts.append(fact(0, "weight error", error, "ratio", "format", **case))
        facts.append(fact(0, "weights kept", share, "share", "format", **case))
    return record("formats", {}, facts=facts)


def compression_speed(
    fake: float = 1.15, zeros: float = 1.0, skipped: float = 1.5, smaller: float = 0.7
) -> Row:
    """Training steps and inference, with times relative to float32 and to the dense model."""
    samples, facts = [], []
    for process in range(3):
        for hidden in (128, 512):
            case: Row = {"part": "training step", "hidden": hidden}
            arms = {"float32": 1.0, "float32 again": 1.0, "torch's operator": 1.4}
            for arm, seconds in (arms | {"fake-quantized": fake}).items():
                samples.append(sample(process, "steady", arm, [seconds] * 3, **case))
        for arm in ("dense", "dense again"):
            samples.append(sample(process, "steady", arm, [1.0] * 3, part="inference"))
        for sparsity in (0.5, 0.9):
            ways = {"zeros": zeros, "zeros skipped": skipped, "smaller": smaller}
            for way, seconds in ways.items():
                arm = f"{way}, {sparsity}"
                case = {"part": "inference", "way": way, "sparsity": sparsity}
                samples.append(sample(process, "steady", arm, [seconds] * 3, **case))
                facts.append(fact(process, "removed", sparsity, "share", arm, **case))
    spec = {"hidden_sizes": [128, 512], "sparsities": [0.5, 0.9]}
    return record("compression_speed", spec, samples=samples, facts=facts)
