"""Values and tables of ranges: magnitudes of weights, biases and inputs, and the bits they need."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, rows
from labs.records.record import Record

ANALYSIS = Analysis("ranges")

KINDS = ("weight", "bias", "input")
EIGHT_BITS, FLOAT32_BITS = 8, 32
OUTLIERS = 0.001
"""The share of a tensor's values, on each side, that counts as outliers."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    table, found = bit_table(record), {}
    for kind in KINDS:
        part = table[table["kind"] == kind]
        found[f"ranges.{kind}.largest"] = exactly(part["largest"].max(), "count")
        found[f"ranges.{kind}.bits"] = exactly(part["bits"].max(), "count")
        one_bit = rows(record, "facts", name="saturated", arm=kind, integer_bits=1)
        found[f"ranges.{kind}.saturated_at_one"] = exactly(one_bit["value"].max(), "share")
    return found | _bytes_at_eight_bits(record)


def _bytes_at_eight_bits(record: Record) -> dict[str, Value]:
    """Return what 8 bits in every linear layer save of the layers' bytes, and of the model's."""
    counted = sum(sum(fact(record, "values", kind)) for kind in ("weight", "bias"))
    in_linears = counted / fact(record, "parameters", "model")[0]
    saved = 1 - EIGHT_BITS / FLOAT32_BITS
    return {
        "ranges.linears.share": exactly(in_linears, "share"),
        "ranges.linears.saved": exactly(saved, "share"),
        "ranges.model.saved": exactly(saved * in_linears, "share"),
    }


@ANALYSIS.table("ranges_quantiles")
def quantile_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and kind of tensor: its quantiles, as columns q0 to q1."""
    table = rows(record, "facts", name="quantile").pivot_table(
        index=["layer", "arm"], columns="quantile", values="value", sort=False
    )
    table.columns = pd.Index([f"q{quantile:g}" for quantile in table.columns])
    table = table.reset_index().rename(columns={"arm": "kind"})
    return table.assign(device=record["device"], layer=table["layer"].map(short))


def bit_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and kind of tensor: the largest magnitude, and the integer bits.

    ``bits`` hold every value, ``bits_without_outliers`` all but the outliers.
    """
    table = quantile_table(record)
    rest = table[[f"q{OUTLIERS:g}", f"q{1 - OUTLIERS:g}"]]
    bits = table[["q0", "q1"]].apply(lambda row: integer_bits(*row), axis=1)
    return table[["device", "layer", "kind"]].assign(
        largest=table[["q0", "q1"]].abs().max(axis=1),
        bits=bits,
        bits_without_outliers=rest.apply(lambda row: integer_bits(*row), axis=1),
    )


@ANALYSIS.table("ranges_bits")
def layer_table(record: Record) -> pd.DataFrame:
    """Return one row per layer: the columns of `bit_table` for its weight, bias and inputs."""
    table = bit_table(record)
    keys = ["device", "layer"]
    found = table[keys].drop_duplicates()
    for kind in KINDS:
        part = table[table["kind"] == kind].drop(columns="kind").set_index(keys)
        found = found.join(part.add_prefix(f"{kind}_"), on=keys)
    return found


def integer_bits(low: float, high: float) -> int:
    """Return the integer bits, sign included, that hold numbers from low to high."""
    bits = 1
    while low < -(2.0 ** (bits - 1)) or high >= 2.0 ** (bits - 1):
        bits += 1
    return bits


def short(layer: str) -> str:
    """Return a layer's name without redundant parts."""
    return (
        layer.removeprefix("bert.")
        .removeprefix("encoder.")
        .replace(".self.", ".")
        .removesuffix(".dense")
    )
