"""Values and tables of ranges: magnitudes of weights, biases and inputs, and the bits they need."""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import fact, rows
from labs.analysis.values import Tree
from labs.records.quantity import counted
from labs.records.record import Record

ANALYSIS = Analysis("ranges")

KINDS = ("weight", "bias", "input")
EIGHT_BITS, FLOAT32_BITS = 8, 32
OUTLIERS = 0.001
"""The share of a tensor's values, on each side, that counts as outliers."""


@ANALYSIS.values
def values(record: Record) -> Tree:
    """Return the extremes of each kind of tensor, and what 8 bits in every linear layer save."""
    most = bit_table(record).groupby("kind")[["largest", "bits"]].max()
    one_bit = rows(record, "facts", name="saturated", arm="input", integer_bits=1)
    parameters = sum(fact(record, "values", "weight") + fact(record, "values", "bias"))
    in_linears = parameters / fact(record, "parameters", "model")[0]
    saved = 1 - EIGHT_BITS / FLOAT32_BITS
    return {
        **{
            kind: {"largest": counted(largest), "bits": counted(bits)}
            for kind, largest, bits in most.itertuples()
        },
        "parameters": {"bits": counted(most.loc[["weight", "bias"], "bits"].max())},
        "input.saturated_at_one": counted(one_bit["value"].max(), "share"),
        "linears": {"share": counted(in_linears, "share"), "saved": counted(saved, "share")},
        "model": {"saved": counted(saved * in_linears, "share")},
    }


@ANALYSIS.table("ranges_quantiles")
def quantile_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and kind of tensor: its quantiles, as columns q0 to q1."""
    facts = rows(record, "facts", name="quantile").rename(columns={"arm": "kind"})
    table = facts.pivot_table("value", ["layer", "kind"], "quantile", sort=False)
    table = table.rename(columns="q{:g}".format).reset_index()
    return table.assign(device=record["device"], layer=table["layer"].map(short))


def bit_table(record: Record) -> pd.DataFrame:
    """Return one row per layer and kind of tensor: the largest magnitude, and the integer bits.

    ``bits`` hold every value, ``bits_without_outliers`` all but the outliers.
    """
    table = quantile_table(record)
    whole, rest = table[["q0", "q1"]], table[[f"q{OUTLIERS:g}", f"q{1 - OUTLIERS:g}"]]
    return table[["device", "layer", "kind"]].assign(
        largest=whole.abs().max(axis=1),
        bits=[integer_bits(low, high) for low, high in whole.values],
        bits_without_outliers=[integer_bits(low, high) for low, high in rest.values],
    )


@ANALYSIS.table("ranges_bits")
def layer_table(record: Record) -> pd.DataFrame:
    """Return one row per layer: the columns of `bit_table` for its weight, bias and inputs."""
    by_kind = bit_table(record).set_index(["device", "layer"]).groupby("kind")
    parts = [by_kind.get_group(kind).drop(columns="kind").add_prefix(f"{kind}_") for kind in KINDS]
    return pd.concat(parts, axis=1).reset_index()


def integer_bits(low: float, high: float) -> int:
    """Return the integer bits, sign included, that hold numbers from low to high."""
    bits = 1
    while low < -(2.0 ** (bits - 1)) or high >= 2.0 ** (bits - 1):
        bits += 1
    return bits


def short(layer: str) -> str:
    """Return a layer's name without redundant parts."""
    name = layer.removeprefix("bert.").removeprefix("encoder.").removesuffix(".dense")
    return name.replace(".self.", ".")
