"""Values and tables of SFT and LoRA: parameters, memory, time, accuracy, and merging."""

from __future__ import annotations

import math

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, exactly, fact, slug, with_interval
from labs.analysis.points import Points
from labs.analysis.statistics import location, noise_floor, ratio
from labs.records.names.lora import (
    ARMS,
    LORA,
    MASE,
    MERGED,
    NO_BIASES,
    SFT,
    SFT_LORA,
    SFT_SFT,
    UNMERGED,
)
from labs.records.record import Record

ANALYSIS = Analysis("lora")

TRAINED_LAST = {SFT: SFT, LORA: LORA, SFT_LORA: LORA, SFT_SFT: SFT}
"""How each arm's last epoch was trained."""
STATE_BYTES = 3 * 4
"""Bytes of training state per parameter: its gradient and AdamW's two moments, in float32."""
GAINS = {
    "sft_over_lora": (SFT, LORA),
    "second_epoch_lora": (SFT_LORA, SFT),
    "second_epoch_sft": (SFT_SFT, SFT),
    "lora_over_sft": (SFT_LORA, SFT_SFT),
    "biases": (SFT, NO_BIASES),
    "mase": (SFT, MASE),
}
"""The differences in accuracy to report: the first arm's minus the second's."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about SFT and LoRA that the report may quote, by name."""
    spec, samples, points = record["spec"], Samples(record), Points(record)
    errors = [check["error"] for check in record["checks"]]
    found = {
        "lora.seeds": exactly(spec["seeds"], "count"),
        "lora.layers": exactly(spec["layers"], "count"),
        "lora.rank": exactly(spec["rank"], "count"),
        "lora.max_length": exactly(spec["max_length"], "count"),
        "lora.batch_size": exactly(spec["batch_size"], "count"),
        "lora.learning_rate.SFT": exactly(spec["sft_learning_rate"], "count"),
        "lora.learning_rate.LoRA": exactly(spec["lora_learning_rate"], "count"),
        "lora.reviews": exactly(fact(record, "reviews", SFT, split="train")[0], "count"),
        "lora.test_reviews": exactly(fact(record, "reviews", SFT, split="test")[0], "count"),
        "lora.all_parameters": exactly(fact(record, "parameters", SFT)[0], "count"),
        "lora.time.speedup": Value(ratio(_times(samples, SFT), _times(samples, LORA)), "ratio"),
        "lora.time.noise_floor": exactly(
            noise_floor(samples.medians(SFT), samples.medians(SFT_SFT)), "share"
        ),
        "lora.merge.error": exactly(max(errors), "share"),
        "lora.merge.tolerance": exactly(record["checks"][0]["tolerance"], "share"),
    }
    for arm, short in ((SFT, "before"), (UNMERGED, "unmerged"), (MERGED, "merged")):
        found[f"lora.operators.{short}"] = exactly(fact(record, "operators", arm)[0], "count")
    same = fact(record, "same operators", MERGED)
    found["lora.operators.changed"] = exactly(len(same) - sum(same), "count")
    for name, short in (("weights of B", "weights"), ("weights of B not zero", "not_zero")):
        found[f"lora.start.{short}"] = exactly(fact(record, name, LORA)[0], "count")
    for name, short, unit in (
        ("trained parameters", "parameters", "count"),
        ("peak memory", "memory", "bytes"),
    ):
        of_sft, of_lora = (float(fact(record, name, arm)[0]) for arm in (SFT, LORA))
        found[f"lora.{short}.SFT"] = exactly(of_sft, unit)
        found[f"lora.{short}.LoRA"] = exactly(of_lora, unit)
        found[f"lora.{short}.share"] = exactly(of_lora / of_sft, "share")
    for arm in (SFT, LORA):
        found[f"lora.time.{arm}"] = Value(location(_times(samples, arm)), "s")
        trained = found[f"lora.parameters.{arm}"].estimate.value
        found[f"lora.states.{arm}"] = exactly(STATE_BYTES * trained, "bytes")
    for arm in ARMS:
        found[f"lora.accuracy.{slug(arm)}"] = points.accuracy({"arm": arm})
    for name, (first, second) in GAINS.items():
        found[f"lora.gain.{name}"] = points.gain({"arm": first}, {"arm": second})
    return found


def _times(samples: Samples, way: str) -> list[float]:
    """Return each seed's time per review: the geometric mean of both epochs trained this way."""
    epochs = [samples.medians(arm) for arm, last in TRAINED_LAST.items() if last == way]
    return [math.sqrt(first * second) for first, second in zip(*epochs, strict=True)]


@ANALYSIS.table("lora_arms")
def arm_table(record: Record) -> pd.DataFrame:
    """Return one row per arm: parameters trained last, memory, time, and test accuracy."""
    samples, points, rows = Samples(record), Points(record), []
    for arm in ARMS:
        row = {"device": record["device"], "arm": arm}
        if arm in TRAINED_LAST:
            way = TRAINED_LAST[arm]
            row["parameters"] = fact(record, "trained parameters", way)[0]
            row["memory"] = fact(record, "peak memory", way)[0]
            row |= with_interval("seconds", samples.time(arm).estimate)
        row |= with_interval("accuracy", points.accuracy({"arm": arm}).estimate)
        rows.append(row)
    return pd.DataFrame(rows)


@ANALYSIS.table("lora_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per arm and seed: its accuracy on the test reviews."""
    points = Points(record)
    return pd.DataFrame(
        [
            {
                "device": record["device"],
                "arm": arm,
                "seed": record["spec"]["seed"] + number,
                "accuracy": accuracy,
            }
            for arm in ARMS
            for number, accuracy in enumerate(points.answers({"arm": arm}).mean(axis=1))
        ]
    )
