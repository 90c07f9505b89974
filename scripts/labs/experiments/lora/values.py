"""Values and tables of SFT and LoRA: parameters, memory, time, accuracy, and merging."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, Value, columns, exactly, fact, slug
from labs.analysis.points import Points
from labs.experiments.lora.names import (
    ARMS,
    ENCODER,
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
from labs.records.rows import Row

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
    spec, samples, points = record["spec"], Samples(record), Points(record)
    merging = checks_of_merging(record)
    errors = np.array([check["error"] for check in merging], dtype=float)
    found = {
        "lora.processes": exactly(len(samples.medians(SFT)), "count"),
        "lora.seeds": exactly(len(points.answers({"arm": SFT})), "count"),
        "lora.layers": exactly(spec["layers"], "count"),
        "lora.rank": exactly(spec["rank"], "count"),
        "lora.max_length": exactly(spec["max_length"], "count"),
        "lora.batch_size": exactly(spec["batch_size"], "count"),
        "lora.learning_rate.SFT": exactly(spec["sft_learning_rate"], "count"),
        "lora.learning_rate.LoRA": exactly(spec["lora_learning_rate"], "count"),
        "lora.reviews": exactly(fact(record, "reviews", SFT, split="train")[0], "count"),
        "lora.test_reviews": exactly(fact(record, "reviews", SFT, split="test")[0], "count"),
        "lora.all_parameters": exactly(fact(record, "parameters", SFT)[0], "count"),
        "lora.time.speedup": samples.speedup(SFT, LORA),
        "lora.time.noise_floor": exactly(samples.floor(SFT), "share"),
        "lora.merge.error": exactly(errors.max(), "share"),
        "lora.merge.tolerance": exactly(merging[0]["tolerance"], "share"),
    }
    if spec["start"] == ENCODER:
        found["lora.pretrained_layers"] = found["lora.layers"]
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
    found["lora.parameters.fewer"] = exactly(
        1 / found["lora.parameters.share"].estimate.value, "ratio"
    )
    for arm in (SFT, LORA):
        found[f"lora.time.{arm}"] = _time(record, samples, arm)
        trained = found[f"lora.parameters.{arm}"].estimate.value
        found[f"lora.states.{arm}"] = exactly(STATE_BYTES * trained, "bytes")
    for arm in ARMS:
        found[f"lora.accuracy.{slug(arm)}"] = points.accuracy({"arm": arm})
    for name, (first, second) in GAINS.items():
        found[f"lora.gain.{name}"] = points.gain({"arm": first}, {"arm": second})
    return found


def checks_of_merging(record: Record) -> Sequence[Row]:
    """Return each seed's comparison of the merged model with the one before."""
    return [check for check in record["checks"] if check["arm"] == MERGED]


def _time(record: Record, samples: Samples, way: str) -> Value:
    """Return the time of a training step for each review of its batch."""
    return samples.location(samples.medians(way) / record["spec"]["batch_size"], "s")


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
            row |= columns(seconds=_time(record, samples, way))
        row |= columns(accuracy=points.accuracy({"arm": arm}))
        rows.append(row)
    return pd.DataFrame(rows)


@ANALYSIS.table("lora_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per arm and seed: its accuracy on the test reviews."""
    points = Points(record)
    return pd.DataFrame(
        {
            "device": record["device"],
            "arm": arm,
            "replicate": number,
            "accuracy": accuracy,
        }
        for arm in ARMS
        for number, accuracy in enumerate(points.answers({"arm": arm}).mean(axis=1))
    )
