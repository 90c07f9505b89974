"""Values and tables of memory: where the bytes of a model are, and how many MXINT8 saves."""

from functools import partial

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, fact, fact_by
from labs.analysis.published import numbers
from labs.analysis.values import Tree, Values
from labs.experiments.mxint8 import names
from labs.experiments.mxint8.names import DECODED_WHOLE, EMBEDDINGS, FLOAT32, PACKED, QUANTIZED
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_memory", per_device=True)

FLOAT_BITS, EXPONENT_BITS = 32, 8
LAB_MEASURED = "L-memory-measured"


def formula(mantissa_bits: int, group_size: int) -> float:
    """Return the share of float32's bits that a mantissa and its part of a shared scale save."""
    bits = mantissa_bits + EXPONENT_BITS / group_size
    return (FLOAT_BITS - bits) / FLOAT_BITS


@ANALYSIS.values
def values(record: Record) -> Tree:
    size = record["spec"]["group_size"]
    return {
        "group_size": counted(size),
        "formula": all_counted("share", {"four": formula(4, size), "eight": formula(8, size)}),
        **{model: _of_model(record, model) for model in record["spec"]["models"]},
    }


def _of_model(record: Record, model: str) -> Tree:
    of_model, by_kind = partial(fact, record, model=model), partial(_by_kind, record, model)
    before, after = by_kind("bytes", FLOAT32), by_kind("bytes", PACKED)
    total, packed = sum(before.values()), sum(after.values())
    predicted, predicted_packed = (
        sum(by_kind("predicted bytes", arm).values()) for arm in (FLOAT32, PACKED)
    )
    weights, encoder = (
        of_model("linear weights", PACKED, **place) for place in ({}, {"place": "encoder"})
    )
    arms = (FLOAT32, PACKED, DECODED_WHOLE)
    calls = {arm: of_model("peak of a call", arm)[0] for arm in arms}
    saved = {arm: 1 - (packed + calls[arm]) / (total + calls[FLOAT32]) for arm in arms[1:]}

    def in_mxint8(arm: str) -> dict[str, Quantity]:
        """Return what a call needs beside the model, and what both save at their peak."""
        return {"call": counted(calls[arm], "bytes"), "peak_saved": counted(saved[arm], "share")}

    lost = saved[PACKED] - saved[DECODED_WHOLE]
    converting, looping = (of_model("peak of conversion", arm)[0] for arm in (PACKED, names.LOOP))
    left, twice = total - before[QUANTIZED], total + after[QUANTIZED]
    return {
        FLOAT32: all_counted("bytes", {"bytes": total, "call": calls[FLOAT32]}),
        PACKED: {"bytes": counted(packed, "bytes"), **in_mxint8(PACKED)},
        DECODED_WHOLE: {**in_mxint8(DECODED_WHOLE), "peak_lost": counted(lost, "share")},
        "saved": counted(1 - packed / total, "share"),
        "predicted": {
            "": counted(predicted_packed, "bytes"),
            "saved": counted(1 - predicted_packed / predicted, "share"),
        },
        "quantized_share": counted(before[QUANTIZED] / total, "share"),
        "embeddings": {
            "bytes": counted(before[EMBEDDINGS], "bytes"),
            "part": counted(before[EMBEDDINGS] / left, "share"),
        },
        "encoder": {"layers": counted(len(encoder))},
        "encoder_share": counted(sum(encoder) / sum(weights), "share"),
        "twice": {"bytes": counted(twice, "bytes")},
        "conversion": {
            "package": {"extra": counted(converting - total, "bytes")},
            "loop": {
                "peak": counted(looping, "bytes"),
                "over_twice": counted(looping / twice, "ratio"),
            },
        },
    }


def _by_kind(record: Record, model: str, name: str, arm: str) -> dict[str, float]:
    return fact_by(record, "kind", name, arm, model=model)


@ANALYSIS.table("mxint8_memory_account")
def account_table(record: Record) -> pd.DataFrame:
    """Return one row per model and kind of tensor: parameters; bytes before, after, predicted."""
    columns = {
        "parameters": ("parameters", FLOAT32),
        "float32": ("bytes", FLOAT32),
        "predicted": ("predicted bytes", PACKED),
        "mxint8": ("bytes", PACKED),
    }
    accounts = {}
    for model in record["spec"]["models"]:
        account = pd.DataFrame(
            {column: _by_kind(record, model, *source) for column, source in columns.items()}
        )
        kinds = [kind for kind in names.KINDS if kind in account.index]
        accounts[record["device"], model] = account.loc[kinds]
    return pd.concat(accounts, names=["device", "model", "kind"]).reset_index()


@ANALYSIS.table_of_values("mxint8_memory_waterfall")
def waterfall_table(record: Record, values: Values) -> pd.DataFrame:
    """Return one row per step of each model's waterfall: the share saved after it, and its source.

    The steps lead from the sheet's formula to what the lab measures: the peak of a call of a model
    whose layers decode whole weights.  Tensors that are not quantized lose what the formula for
    eight bits would have saved on them.
    """
    table, eight = [], values["formula", "eight"].value
    for model in record["spec"]["models"]:
        of = values.below(model)
        embeddings = of["embeddings", "bytes"].value / of[FLOAT32, "bytes"].value
        steps = [
            ("the sheet: 4 bits per mantissa", "formula", values["formula", "four"].value),
            ("8 bits per mantissa", "formula", eight),
            ("embeddings stay", "formula", eight * (1 - embeddings)),
            ("biases and the rest stay", "formula", of["predicted", "saved"].value),
            ("the model", "measured", of["saved"].value),
            ("peak of a call", "measured", of[PACKED, "peak_saved"].value),
            ("peak, weights decoded whole", "measured", of[DECODED_WHOLE, "peak_saved"].value),
        ]
        if model == names.LAB_MODEL:
            saving = numbers(LAB_MEASURED)["saving"]
            steps.append(("peak, in the lab's notebook", "published", saving))
        table += [(record["device"], model, *step) for step in steps]
    return pd.DataFrame(table, columns=["device", "model", "step", "source", "saved"])
