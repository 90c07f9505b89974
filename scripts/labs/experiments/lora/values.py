"""Values and tables of SFT and LoRA: parameters, memory, time, accuracy, and merging."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact, prefixed
from labs.analysis.points import Points
from labs.analysis.values import Values, slug
from labs.experiments.lora import names
from labs.experiments.lora.names import ARMS, LORA, MERGED, SFT, SFT_LORA, SFT_SFT
from labs.records.quantity import Quantity, counted
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
    "biases": (SFT, names.NO_BIASES),
    "mase": (SFT, names.MASE),
}
"""The differences in accuracy to report: the first arm's minus the second's."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Quantity]:
    spec, points = record["spec"], Points(record)
    values = {
        "seeds": counted(len(points.answers({"arm": SFT})), "count"),
        "learning_rate.SFT": counted(spec["sft_learning_rate"], "count"),
        "learning_rate.LoRA": counted(spec["lora_learning_rate"], "count"),
        **_costs(record),
        **_operators(record),
    }
    for setting in ("layers", "rank", "max_length", "batch_size"):
        values[setting] = counted(spec[setting], "count")
    if spec["init"] == names.ENCODER:
        values["pretrained_layers"] = values["layers"]
    for name, split in (("reviews", "train"), ("test_reviews", "test")):
        values[name] = _counted(record, "reviews", SFT, split=split)
    for arm in ARMS:
        values[f"accuracy.{slug(arm)}"] = points.accuracy({"arm": arm})
    for name, (first, second) in GAINS.items():
        values[f"gain.{name}"] = points.gain({"arm": first}, {"arm": second})
    return prefixed("lora", values)


def _counted(record: Record, name: str, arm: str, **case: Any) -> Quantity:
    return counted(fact(record, name, arm, **case)[0], "count")


def _costs(record: Record) -> dict[str, Quantity]:
    """Return the parameters, the memory and the times of training with SFT and LoRA."""
    samples = Samples(record)
    values = {
        "processes": counted(len(samples.medians(SFT)), "count"),
        "all_parameters": _counted(record, "parameters", SFT),
        "time.speedup": samples.speedup(SFT, LORA),
        "time.noise_floor": counted(samples.floor(SFT), "share"),
    }
    for name, short, unit in (
        ("trained parameters", "parameters", "count"),
        ("peak memory", "memory", "bytes"),
    ):
        sft, lora = (fact(record, name, way)[0] for way in (SFT, LORA))
        values[f"{short}.SFT"], values[f"{short}.LoRA"] = counted(sft, unit), counted(lora, unit)
        values[f"{short}.share"] = counted(lora / sft, "share")
    fewer = 1 / values["parameters.share"].value
    values["parameters.fewer"] = counted(fewer, "ratio")
    for way in (SFT, LORA):
        # Of a training step, for each review of its batch.
        seconds = samples.medians(way) / record["spec"]["batch_size"]
        values[f"time.{way}"] = samples.location(seconds, "s")
        parameters = values[f"parameters.{way}"].value
        values[f"states.{way}"] = counted(STATE_BYTES * parameters, "bytes")
    return values


def _operators(record: Record) -> dict[str, Quantity]:
    """Return what adapters add to inference, at their start, unmerged and merged."""
    checks, same = checks_of_merging(record), fact(record, "same operators", MERGED)
    errors = np.array([check["error"] for check in checks], dtype=float)
    return {
        "merge.error": counted(errors.max(), "share"),
        "merge.tolerance": counted(checks[0]["tolerance"], "share"),
        "operators.before": _counted(record, "operators", SFT),
        "operators.unmerged": _counted(record, "operators", names.UNMERGED),
        "operators.merged": _counted(record, "operators", MERGED),
        "operators.changed": counted(len(same) - sum(same), "count"),
        "start.weights": _counted(record, "weights of B", LORA),
        "start.not_zero": _counted(record, "weights of B not zero", LORA),
    }


def checks_of_merging(record: Record) -> Sequence[Row]:
    """Return each seed's comparison of the merged model with the one before."""
    return [check for check in record["checks"] if check["arm"] == MERGED]


@ANALYSIS.old_table_of_values("lora_arms")
def arm_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per arm: parameters trained last, memory, time, and test accuracy."""
    rows = []
    for arm in ARMS:
        row = {"device": record["device"], "arm": arm}
        if way := TRAINED_LAST.get(arm):
            row["parameters"] = values[f"lora.parameters.{way}"].value
            row["memory"] = values[f"lora.memory.{way}"].value
            row |= columns(seconds=values[f"lora.time.{way}"])
        rows.append(row | columns(accuracy=values[f"lora.accuracy.{slug(arm)}"]))
    return pd.DataFrame(rows)


@ANALYSIS.table("lora_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per arm and seed: its accuracy on the test reviews."""
    table = Points(record).replicates(["arm"])
    table.insert(0, "device", record["device"])
    return table
