"""Values and tables of memory: where the bytes of a model are, and how many MXINT8 saves."""

from __future__ import annotations

from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, rows, slug
from labs.analysis.published import numbers
from labs.records.names.mxint8 import (
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

FLOAT_BITS, EXPONENT_BITS = 32, 8
LAB_MODEL, LAB_MEASURED = "deberta-xlarge", "L-memory-measured"
CALLS = (FLOAT32, PACKED, DECODED_WHOLE)


def prefix(record: Record) -> str:
    """Return the prefix of the names of this record's values."""
    return f"mxint8_memory.{record['device']}"


def formula(mantissa_bits: int, group_size: int) -> float:
    """Return the share of float32's bits that a mantissa and its part of a shared scale save."""
    bits = mantissa_bits + EXPONENT_BITS / group_size
    return (FLOAT_BITS - bits) / FLOAT_BITS


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about this record that the report may quote, by name."""
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
    facts = _Facts(record, model)
    parameters = facts.by_kind("parameters", FLOAT32)
    before, after = (facts.by_kind("bytes", arm) for arm in (FLOAT32, PACKED))
    predicted = {arm: facts.by_kind("predicted bytes", arm) for arm in (FLOAT32, PACKED)}
    total, left = sum(before.values()), sum(after.values())
    found = {
        "parameters": exactly(sum(parameters.values()), "count"),
        "quantized_share": exactly(before[QUANTIZED] / total, "share"),
        "float32.bytes": exactly(total, "bytes"),
        "mxint8.bytes": exactly(left, "bytes"),
        "predicted": exactly(sum(predicted[PACKED].values()), "bytes"),
        "predicted.saved": exactly(
            1 - sum(predicted[PACKED].values()) / sum(predicted[FLOAT32].values()), "share"
        ),
        "saved": exactly(1 - left / total, "share"),
        "twice.bytes": exactly(total + after[QUANTIZED], "bytes"),
        "encoder_share": exactly(facts.encoder_share(), "share"),
        "encoder.layers": exactly(facts.encoder_layers(), "count"),
    }
    unquantized = {kind: size for kind, size in before.items() if kind != QUANTIZED}
    for kind, size in before.items():
        found[f"{slug(kind)}.bytes"] = exactly(size, "bytes")
    found["embeddings.part"] = exactly(unquantized[EMBEDDINGS] / sum(unquantized.values()), "share")
    for arm in CALLS:
        held = total if arm == FLOAT32 else left
        peak = held + facts.one("peak of a call", arm)
        found[f"{slug(arm)}.call"] = exactly(facts.one("peak of a call", arm), "bytes")
        found[f"{slug(arm)}.peak"] = exactly(peak, "bytes")
        if arm != FLOAT32:
            base = found["float32.peak"].estimate.value
            found[f"{slug(arm)}.peak_saved"] = exactly(1 - peak / base, "share")
    for arm, short in ((PACKED, "package"), (LOOP, "loop")):
        peak = facts.one("peak of conversion", arm)
        found[f"conversion.{short}.peak"] = exactly(peak, "bytes")
        found[f"conversion.{short}.extra"] = exactly(peak - total, "bytes")
    return found


class _Facts:
    """The facts about one model."""

    def __init__(self, record: Record, model: str) -> None:
        frame = rows(record, "facts")
        self._frame = frame[frame["model"] == model]

    def by_kind(self, name: str, arm: str) -> dict[str, float]:
        """Return a fact by kind of tensor."""
        frame = self._frame[(self._frame["name"] == name) & (self._frame["arm"] == arm)]
        return dict(zip(frame["kind"], frame["value"].astype(float), strict=True))

    def one(self, name: str, arm: str) -> float:
        """Return a fact that is recorded once. Raises ValueError for any other number."""
        frame = self._frame[(self._frame["name"] == name) & (self._frame["arm"] == arm)]
        return float(frame["value"].item())

    def encoder_share(self) -> float:
        """Return the share of the quantized weights that belongs to the encoder."""
        layers = self._layers()
        weights = layers["value"].astype(float)
        return float(weights[layers["place"] == "encoder"].sum() / weights.sum())

    def encoder_layers(self) -> int:
        """Return how many linear layers of the encoder are quantized."""
        return int((self._layers()["place"] == "encoder").sum())

    def _layers(self) -> pd.DataFrame:
        frame = self._frame
        return frame[(frame["name"] == "linear weights") & (frame["arm"] == PACKED)]


@ANALYSIS.table("mxint8_memory_account")
def account_table(record: Record) -> pd.DataFrame:
    """Return one row per model and kind of tensor: parameters; bytes before, after, predicted."""
    table = []
    for model in record["spec"]["models"]:
        facts = _Facts(record, model)
        columns = {
            "parameters": facts.by_kind("parameters", FLOAT32),
            "float32": facts.by_kind("bytes", FLOAT32),
            "predicted": facts.by_kind("predicted bytes", "mxint8"),
            "mxint8": facts.by_kind("bytes", PACKED),
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
        before = _Facts(record, model).by_kind("bytes", FLOAT32)
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
