"""Values and tables of memory: where the bytes of a model are, and how many MXINT8 saves."""

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, fact_by, slug
from labs.analysis.published import numbers
from labs.experiments.mxint8.names import (
    DECODED_WHOLE,
    EMBEDDINGS,
    FLOAT32,
    KINDS,
    LOOP,
    PACKED,
    QUANTIZED,
)
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_memory")
prefix = ANALYSIS.prefix

FLOAT_BITS, EXPONENT_BITS = 32, 8
LAB_MODEL, LAB_MEASURED = "deberta-xlarge", "L-memory-measured"
CALLS = (FLOAT32, PACKED, DECODED_WHOLE)


def formula(mantissa_bits: int, group_size: int) -> float:
    """Return the share of float32's bits that a mantissa and its part of a shared scale save."""
    bits = mantissa_bits + EXPONENT_BITS / group_size
    return (FLOAT_BITS - bits) / FLOAT_BITS


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    start, size = prefix(record), record["spec"]["group_size"]
    found = {
        f"{start}.group_size": exactly(size, "count"),
        f"{start}.formula.four": exactly(formula(4, size), "share"),
        f"{start}.formula.eight": exactly(formula(8, size), "share"),
    }
    for model in record["spec"]["models"]:
        for name, value in _model_values(record, model).items():
            found[f"{start}.{model}.{name}"] = value
    return found


def _model_values(record: Record, model: str) -> dict[str, Value]:
    """Return the values of one model."""
    parameters = _by_kind(record, "parameters", FLOAT32, model)
    before, after = (_by_kind(record, "bytes", arm, model) for arm in (FLOAT32, PACKED))
    as_float32, as_mxint8 = (
        sum(_by_kind(record, "predicted bytes", arm, model).values()) for arm in (FLOAT32, PACKED)
    )
    total, left = sum(before.values()), sum(after.values())
    weights = fact(record, "linear weights", PACKED, model=model)
    encoder = fact(record, "linear weights", PACKED, model=model, place="encoder")
    found = {
        "parameters": exactly(sum(parameters.values()), "count"),
        "quantized_share": exactly(before[QUANTIZED] / total, "share"),
        "float32.bytes": exactly(total, "bytes"),
        "mxint8.bytes": exactly(left, "bytes"),
        "predicted": exactly(as_mxint8, "bytes"),
        "predicted.saved": exactly(1 - as_mxint8 / as_float32, "share"),
        "saved": exactly(1 - left / total, "share"),
        "twice.bytes": exactly(total + after[QUANTIZED], "bytes"),
        "encoder_share": exactly(sum(encoder) / sum(weights), "share"),
        "encoder.layers": exactly(len(encoder), "count"),
    }
    unquantized = {kind: size for kind, size in before.items() if kind != QUANTIZED}
    for kind, size in before.items():
        found[f"{slug(kind)}.bytes"] = exactly(size, "bytes")
    found["embeddings.part"] = exactly(unquantized[EMBEDDINGS] / sum(unquantized.values()), "share")
    for arm in CALLS:
        (call,) = fact(record, "peak of a call", arm, model=model)
        peak = call + (total if arm == FLOAT32 else left)
        found[f"{slug(arm)}.call"] = exactly(call, "bytes")
        found[f"{slug(arm)}.peak"] = exactly(peak, "bytes")
        if arm != FLOAT32:
            base = found["float32.peak"].estimate.value
            found[f"{slug(arm)}.peak_saved"] = exactly(1 - peak / base, "share")
    for arm, short in ((PACKED, "package"), (LOOP, "loop")):
        (peak,) = fact(record, "peak of conversion", arm, model=model)
        found[f"conversion.{short}.peak"] = exactly(peak, "bytes")
        found[f"conversion.{short}.extra"] = exactly(peak - total, "bytes")
    return found


def _by_kind(record: Record, name: str, arm: str, model: str) -> dict[str, float]:
    """Return a fact about a model by kind of tensor."""
    return fact_by(record, "kind", name, arm, model=model)


@ANALYSIS.table("mxint8_memory_account")
def account_table(record: Record) -> pd.DataFrame:
    """Return one row per model and kind of tensor: parameters; bytes before, after, predicted."""
    table = []
    for model in record["spec"]["models"]:
        columns = {
            "parameters": _by_kind(record, "parameters", FLOAT32, model),
            "float32": _by_kind(record, "bytes", FLOAT32, model),
            "predicted": _by_kind(record, "predicted bytes", PACKED, model),
            "mxint8": _by_kind(record, "bytes", PACKED, model),
        }
        for kind in [kind for kind in KINDS if kind in columns["parameters"]]:
            row: dict[str, Any] = {"device": record["device"], "model": model, "kind": kind}
            row |= {column: of_kind[kind] for column, of_kind in columns.items()}
            table.append(row)
    return pd.DataFrame(table)


@ANALYSIS.table("mxint8_memory_waterfall")
def waterfall_table(record: Record) -> pd.DataFrame:
    """Return one row per step of each model's waterfall: the share saved after it, and its source.

    The steps lead from the sheet's formula to what the lab measures: the peak of a call of a model
    whose layers decode whole weights.  Tensors that are not quantized lose what the formula for
    eight bits would have saved on them.
    """
    found, start = values(record), prefix(record)
    table = []
    for model in record["spec"]["models"]:
        before = _by_kind(record, "bytes", FLOAT32, model)
        total = sum(before.values())
        eight = found[f"{start}.formula.eight"].estimate.value
        without_embeddings = eight * (1 - before[EMBEDDINGS] / total)
        name = f"{start}.{model}"
        steps = [
            ("the sheet: 4 bits a mantissa", "formula", found[f"{start}.formula.four"]),
            ("8 bits a mantissa", "formula", found[f"{start}.formula.eight"]),
            ("embeddings stay", "formula", exactly(without_embeddings, "share")),
            ("biases and the rest stay", "formula", found[f"{name}.predicted.saved"]),
            ("the model", "measured", found[f"{name}.saved"]),
            ("peak of a call", "measured", found[f"{name}.mxint8.peak_saved"]),
            (
                "peak, weights decoded whole",
                "measured",
                found[f"{name}.mxint8-decoded-whole.peak_saved"],
            ),
        ]
        if model == LAB_MODEL:
            lab = exactly(numbers(LAB_MEASURED)["saving"], "share")
            steps.append(("peak, in the lab's notebook", "published", lab))
        for step, source, value in steps:
            row = {"device": record["device"], "model": model, "step": step, "source": source}
            table.append(row | {"saved": value.estimate.value})
    return pd.DataFrame(table)
