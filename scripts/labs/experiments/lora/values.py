"""Values and tables of SFT and LoRA: parameters, memory, time, accuracy, and merging."""

from typing import Any

import numpy as np
import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Samples, columns, fact
from labs.analysis.points import Points
from labs.analysis.values import Part, Tree, Values
from labs.experiments.lora import names
from labs.experiments.lora.names import ARMS, LORA, MERGED, SFT, SFT_LORA, SFT_SFT
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("lora")

WAYS = (SFT, LORA)
TRAINED_LAST = {SFT: SFT, LORA: LORA, SFT_LORA: LORA, SFT_SFT: SFT}
"""How each arm's last epoch was trained."""
STATE_BYTES = 3 * 4
"""Bytes of training state per parameter: its gradient and AdamW's two moments, in float32."""
GAINS = {
    "sft_over_lora": (SFT, LORA),
    "second_epoch_lora": (SFT_LORA, SFT),
    "lora_over_sft": (SFT_LORA, SFT_SFT),
}
LOSSES = {"biases": (SFT, names.NO_BIASES), "mase": (SFT, names.MASE)}
"""The differences in accuracy to report: how far the first arm is above the second, and so what is
gained, or lost with the second.
"""


@ANALYSIS.values
def accuracies(record: Record) -> Tree:
    """Return how training was set up, and what it reached on the test reviews."""
    spec, points = record["spec"], Points(record)
    settings: dict[Part, Quantity] = {
        name: counted(spec[name]) for name in ("layers", "rank", "max_length", "batch_size")
    }
    if spec["init"] == names.ENCODER:
        settings["pretrained_layers"] = settings["layers"]
    return {
        **settings,
        "learning_rate": {way: counted(spec[f"{way.lower()}_learning_rate"]) for way in WAYS},
        "seeds": counted(len(points.answers({"arm": SFT}))),
        "reviews": _counted(record, "reviews", SFT, split="train"),
        "test_reviews": _counted(record, "reviews", SFT, split="test"),
        "accuracy": {arm: points.accuracy({"arm": arm}) for arm in ARMS},
        "gain": {
            name: points.gain({"arm": first}, {"arm": second})
            for name, (first, second) in GAINS.items()
        }
        | {
            name: points.loss({"arm": first}, {"arm": second})
            for name, (first, second) in LOSSES.items()
        },
    }


@ANALYSIS.values
def costs(record: Record) -> Tree:
    """Return the parameters, the memory and the times of training with SFT and LoRA."""
    samples, batch_size = Samples(record), record["spec"]["batch_size"]
    parameters, memory = (
        {way: fact(record, name, way)[0] for way in WAYS}
        for name in ("trained parameters", "peak memory")
    )
    return {
        "processes": counted(len(samples.medians(SFT))),
        "parameters": {
            **{way: counted(number) for way, number in parameters.items()},
            "share": counted(parameters[LORA] / parameters[SFT], "share"),
            "fewer": counted(parameters[SFT] / parameters[LORA], "ratio"),
        },
        "states": {way: counted(STATE_BYTES * n, "bytes") for way, n in parameters.items()},
        "memory": {
            **{way: counted(number, "bytes") for way, number in memory.items()},
            "share": counted(memory[LORA] / memory[SFT], "share"),
        },
        "time": {
            # Of a training step, for each review of its batch.
            **{way: samples.location(samples.medians(way) / batch_size, "s") for way in WAYS},
            "speedup": samples.speedup(SFT, LORA),
            "noise_floor": counted(samples.floor(SFT), "share"),
        },
    }


@ANALYSIS.values
def operators(record: Record) -> Tree:
    """Return what adapters add to inference: at their start, unmerged and merged."""
    checks = [check for check in record["checks"] if check["arm"] == MERGED]
    same = fact(record, "same operators", MERGED)
    errors = np.array([check["error"] for check in checks], dtype=float)
    return {
        "merge": {
            "error": counted(errors.max(), "share"),
            "tolerance": counted(checks[0]["tolerance"], "share"),
        },
        "operators": {
            "before": _counted(record, "operators", SFT),
            "unmerged": _counted(record, "operators", names.UNMERGED),
            "merged": _counted(record, "operators", MERGED),
            "changed": counted(len(same) - sum(same)),
        },
        "start": {
            "weights": _counted(record, "weights of B", LORA),
            "not_zero": _counted(record, "weights of B not zero", LORA),
        },
    }


def _counted(record: Record, name: str, arm: str, **case: Any) -> Quantity:
    return counted(fact(record, name, arm, **case)[0])


@ANALYSIS.table_of_values("lora_arms")
def arm_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per arm: parameters trained last, memory, time, and test accuracy."""
    rows = []
    for arm in ARMS:
        row = {"device": record["device"], "arm": arm}
        if way := TRAINED_LAST.get(arm):
            row |= {name: values[name, way].value for name in ("parameters", "memory")}
            row |= columns(seconds=values["time", way])
        rows.append(row | columns(accuracy=values["accuracy", arm]))
    return pd.DataFrame(rows)


@ANALYSIS.table("lora_seeds")
def seed_table(record: Record) -> pd.DataFrame:
    """Return one row per arm and seed: its accuracy on the test reviews."""
    table = Points(record).replicates(["arm"])
    table.insert(0, "device", record["device"])
    return table
