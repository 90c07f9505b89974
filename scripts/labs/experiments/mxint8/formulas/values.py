"""Values and tables of the lab's decoding formula: which codes it gets wrong, how many, and why."""

import struct
from typing import Any

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import all_counted, fact, rows
from labs.analysis.values import Tree
from labs.experiments.mxint8 import names
from labs.records.quantity import Quantity, counted
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_formulas", per_device=True)

LEADING, TWIN = 0x40, 0x50
"""The bit worth one, and a mantissa with this bit and another one set."""


@ANALYSIS.values
def values(record: Record) -> Tree:
    return _pairs(record) | _mantissas(decoded_table(record)) | _encoders(record) | _scales(record)


def _pairs(record: Record) -> dict[str, Quantity | Tree]:
    """Return how many pairs each decoder gets wrong, and the formula's by cause."""
    causes = {
        cause: len(fact(record, "wrong pair", names.FORMULA, cause=cause))
        for cause in (*names.CAUSES, names.UNEXPLAINED)
    }
    return {
        "pairs": counted(fact(record, "pairs", names.FORMULA)[0]),
        "cause": all_counted("count", causes),
        **{
            decoder: {"wrong": counted(fact(record, "wrong pairs", decoder)[0])}
            for decoder in (names.FORMULA, names.PACKAGE)
        },
    }


def _mantissas(table: pd.DataFrame) -> dict[str, Quantity | Tree]:
    """Return how many mantissas of an encoder decode correctly or off by the bias, at scale 1."""
    emitted = table[table["mantissa"] != names.LOWEST]
    leading, rest = emitted[emitted["leading"]], emitted[~emitted["leading"]]
    right = int((leading["out"] == leading["exact"]).sum())
    off_by_bias = int((rest["out"] - rest["exact"] == rest["bias"]).sum())
    smallest = emitted[emitted["exact"] != 0]["exact"].abs().min()
    return {
        "mantissas": counted(len(emitted)),
        "leading": {"": counted(len(leading)), "right": counted(right)},
        "rest": {"": counted(len(rest)), "off_by_bias": counted(off_by_bias)},
        "bit_exceptions": counted(len(emitted) - right - off_by_bias),
        "one_line": counted(int((emitted["formula"] == emitted["exact"]).sum())),
        "smallest": counted(smallest, "ratio"),
        "bias_over_smallest": counted(emitted["bias"].abs().min() / smallest, "ratio"),
    }


def _encoders(record: Record) -> dict[str, Quantity | Tree]:
    """Return the share of random codes that each encoder changes, and its error."""
    found: dict[str, Quantity | Tree] = {}
    for encoder in (names.PACKAGE, names.THROUGH_BFLOAT16):
        facts = _facts(record, encoder)
        shares = {
            "changed": facts["other codes"] / facts["codes"],
            "off_by_one": facts["off by one"] / facts["codes"],
            "scales": facts["other scales"] / facts["groups"],
            "error": facts["error"],
        }
        found[encoder] = all_counted("share", shares)
    return {"encoder": {"codes": counted(facts["codes"]), **found}}


def _scales(record: Record) -> dict[str, Quantity | Tree]:
    """Return the effect of each scale on groups whose largest magnitude is a power of two."""
    found: dict[str, Quantity | Tree] = {}
    for scale in (names.FLOOR, names.CEIL):
        facts = _facts(record, scale)
        counts = {"groups": facts["groups"], "saturated": facts["saturated groups"]}
        errors = {"error": facts["error"], "largest_error": facts["error of the largest"]}
        found[scale] = all_counted("count", counts) | all_counted("share", errors)
    powers = {dtype: _facts(record, dtype)["power of two"] for dtype in ("float32", "bfloat16")}
    return {"power_of_two": all_counted("share", powers), **found}


def _facts(record: Record, arm: str) -> dict[str, Any]:
    """Return the facts of an arm that has one of each name."""
    return {row["name"]: row["value"] for row in record["facts"] if row["arm"] == arm}


@ANALYSIS.table("mxint8_formulas_decoded")
def decoded_table(record: Record) -> pd.DataFrame:
    """Return one row per mantissa at scale one: its bits, what it decodes to, its exact value."""
    frame = rows(record, "facts", name="decoded")
    frame = frame.astype({"mantissa": int, "leading": bool, "value": float})
    table = frame.pivot(index=["mantissa", "leading"], columns="arm", values="value").reset_index()
    table.insert(0, "device", record["device"])
    table.insert(2, "bits", [f"{mantissa & 0xFF:08b}" for mantissa in table["mantissa"]])
    return table.rename_axis(columns=None).sort_values("mantissa", ignore_index=True)


@ANALYSIS.table("mxint8_formulas_wrong")
def wrong_table(record: Record) -> pd.DataFrame:
    """Return one row per pair that the formula decodes wrongly: the cause, and what it returns."""
    frame = rows(record, "facts", name="wrong pair")
    frame = frame.astype({"mantissa": int, "exponent": int}).rename(columns={"value": "got"})
    frame = frame.assign(device=record["device"])
    return frame[["device", "cause", "exponent", "mantissa", "got"]].reset_index(drop=True)


@ANALYSIS.table("mxint8_formulas_causes")
def cause_table(record: Record) -> pd.DataFrame:
    """Return one row per cause: its number of pairs, and their exponents and mantissas."""
    causes = wrong_table(record).groupby(["device", "cause"], sort=False)
    table = causes.agg(
        pairs=("exponent", "size"), exponents=("exponent", _span), mantissas=("mantissa", _span)
    )
    return table.reset_index().sort_values("pairs", ascending=False, ignore_index=True)


def _span(numbers: pd.Series) -> str:
    low, high = numbers.min(), numbers.max()
    return f"{low}" if low == high else f"{low} to {high}"


@ANALYSIS.table("mxint8_formulas_twins")
def twin_table(record: Record) -> pd.DataFrame:
    """Return two mantissas that pack into the same BF16 word, the larger first, with their bits.

    They differ only in the bit worth one.  ``word`` holds its bits: sign, exponent, fraction.
    """
    table = decoded_table(record).set_index("mantissa", drop=False)
    twins = table.loc[[TWIN, TWIN - LEADING]].reset_index(drop=True)
    words = [struct.unpack(">H", struct.pack(">f", value)[:2])[0] for value in twins["out"]]
    return twins.assign(word=[f"{word:016b}" for word in words])
