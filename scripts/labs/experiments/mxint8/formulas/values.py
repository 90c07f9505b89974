"""Values and tables of the lab's decoding formula: which codes it gets wrong, how many, and why."""

import struct

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly, fact, rows, slug
from labs.experiments.mxint8 import names
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_formulas")
prefix = ANALYSIS.prefix

DECODERS = (names.OUT, names.FORMULA, names.PACKAGE)
LEADING, TWIN = 0x40, 0x50
"""The bit worth one, and a mantissa with this bit and another one set."""

LOWEST = -128
"""The mantissa that no encoder emits."""

ENCODERS = (names.PACKAGE, names.THROUGH_BFLOAT16)
SCALES = (names.FLOOR, names.CEIL)


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    return {
        f"{prefix(record)}.{name}": value
        for part in (_pair_values, _mantissa_values, _encoder_values, _scale_values)
        for name, value in part(record).items()
    }


def _pair_values(record: Record) -> dict[str, Value]:
    """Return how many pairs each decoder gets wrong, and the formula's by cause."""
    pairs = fact(record, "pairs", names.FORMULA)[0]
    found = {"pairs": exactly(pairs, "count")}
    for decoder in DECODERS:
        wrong = fact(record, "wrong pairs", decoder)[0]
        found[f"{slug(decoder)}.wrong"] = exactly(wrong, "count")
        found[f"{slug(decoder)}.wrong_share"] = exactly(wrong / pairs, "share")
    for cause in (*names.CAUSES, names.UNEXPLAINED):
        count = len(fact(record, "wrong pair", names.FORMULA, cause=cause))
        found[f"cause.{slug(cause)}"] = exactly(count, "count")
    return found


def _mantissa_values(record: Record) -> dict[str, Value]:
    """Return how many mantissas of an encoder decode correctly or off by the bias, at scale 1."""
    table = decoded_table(record)
    emitted = table[table["mantissa"] != LOWEST]
    leading, rest = emitted[emitted["leading"]], emitted[~emitted["leading"]]
    off_by_bias = rest["out"] - rest["exact"] == rest["bias"]
    small = emitted[emitted["exact"] != 0]["exact"].abs().min()
    return {
        "mantissas": exactly(len(emitted), "count"),
        "leading": exactly(len(leading), "count"),
        "leading.right": exactly(int((leading["out"] == leading["exact"]).sum()), "count"),
        "rest": exactly(len(rest), "count"),
        "rest.off_by_bias": exactly(int(off_by_bias.sum()), "count"),
        "one_line": exactly(int((emitted["formula"] == emitted["exact"]).sum()), "count"),
        "smallest": exactly(small, "ratio"),
        "bias_over_smallest": exactly(emitted["bias"].abs().min() / small, "ratio"),
    }


def _encoder_values(record: Record) -> dict[str, Value]:
    """Return the share of random codes that each encoder changes, and its error."""
    found = {}
    for encoder in ENCODERS:
        name = f"encoder.{slug(encoder)}"
        codes, groups = (fact(record, of, encoder)[0] for of in ("codes", "groups"))
        for what, short, total in (
            ("other codes", "changed", codes),
            ("off by one", "off_by_one", codes),
            ("other scales", "scales", groups),
        ):
            count = fact(record, what, encoder)[0]
            found[f"{name}.{short}"] = exactly(count / total, "share")
        found[f"{name}.error"] = exactly(fact(record, "error", encoder)[0], "share")
    found["encoder.codes"] = exactly(codes, "count")
    return found


def _scale_values(record: Record) -> dict[str, Value]:
    """Return the effect of each scale on groups whose largest magnitude is a power of two."""
    found = {}
    for scale in SCALES:
        groups, saturated = (fact(record, of, scale)[0] for of in ("groups", "saturated groups"))
        found[f"{scale}.groups"] = exactly(groups, "count")
        found[f"{scale}.saturated"] = exactly(saturated, "count")
        found[f"{scale}.error"] = exactly(fact(record, "error", scale)[0], "share")
        largest = fact(record, "error of the largest", scale)[0]
        found[f"{scale}.largest_error"] = exactly(largest, "share")
    for dtype in ("float32", "bfloat16"):
        found[f"power_of_two.{dtype}"] = exactly(fact(record, "power of two", dtype)[0], "share")
    return found


@ANALYSIS.table("mxint8_formulas_decoded")
def decoded_table(record: Record) -> pd.DataFrame:
    """Return one row per mantissa at scale one: its bits, what it decodes to, its exact value."""
    frame = rows(record, "facts", name="decoded")
    frame = frame.assign(value=frame["value"].astype(float), leading=frame["leading"].astype(bool))
    table = frame.pivot(index=["mantissa", "leading"], columns="arm", values="value").reset_index()
    table["mantissa"] = table["mantissa"].astype(int)
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
    table = []
    for cause, pairs in wrong_table(record).groupby("cause", sort=False):
        row = {"device": record["device"], "cause": cause, "pairs": len(pairs)}
        for column in ("exponent", "mantissa"):
            low, high = pairs[column].min(), pairs[column].max()
            row[f"{column}s"] = f"{low}" if low == high else f"{low} to {high}"
        table.append(row)
    return pd.DataFrame(table).sort_values("pairs", ascending=False, ignore_index=True)


@ANALYSIS.table("mxint8_formulas_twins")
def twin_table(record: Record) -> pd.DataFrame:
    """Return two mantissas that pack into the same BF16 word, the larger first, with their bits.

    They differ only in the bit worth one.  ``word`` holds its bits: sign, exponent, fraction.
    """
    table = decoded_table(record).set_index("mantissa", drop=False)
    twins = table.loc[[TWIN, TWIN - LEADING]].reset_index(drop=True)
    words = [struct.unpack(">H", struct.pack(">f", value)[:2])[0] for value in twins["out"]]
    return twins.assign(word=[f"{word:016b}" for word in words])
