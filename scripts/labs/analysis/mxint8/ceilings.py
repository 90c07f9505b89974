"""Values and a table of what the machine code of the CUDA kernels allows at most."""

from __future__ import annotations

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly
from labs.records.names.mxint8 import CUTE, SCALAR, VECTORISED
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_ceilings")

PREFIX = "mxint8_ceilings"
KERNELS = {
    VECTORISED: "dequantize",
    SCALAR: "dequantize, scalar",
    CUTE: "dequantize, CuTe",
}
"""The kernels that question 3c is about, as the program calls them."""


@ANALYSIS.table("mxint8_ceilings")
def ceiling_table(record: Record) -> pd.DataFrame:
    """Return one row per kernel, in the program's order: what a block takes, its instructions and
    bytes an element, and for each GPU the share of its memory's bandwidth that these allow.
    """
    rows: dict[str, dict[str, float | str]] = {}
    for fact in record["facts"]:
        row = rows.setdefault(fact["arm"], {"kernel": fact["arm"]})
        row[fact["case"].get("gpu", fact["name"])] = fact["value"]
    table = pd.DataFrame([row for row in rows.values() if "elements" in row])
    gpus = _gpus(record)
    return pd.DataFrame(
        {
            "kernel": table["kernel"],
            "registers": table["registers"],
            "shared": table["shared memory"],
            "warps": table["warps"],
            "instructions": (table["instructions"] / table["elements"]).round(1).astype(str),
            "bytes": table["bytes an element"],
            **{gpu.lower(): table[gpu].clip(upper=1) for gpu in gpus},
        }
    )


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return every number about this record that the report may quote, by name.

    A kernel's headroom is how many times the bandwidth of the GPU's memory its instructions allow,
    on the GPU on which that is least.
    """
    found = {}
    for kernel, arm in KERNELS.items():
        facts = [fact for fact in record["facts"] if fact["arm"] == arm]
        if not facts:
            continue
        numbers = {fact["name"]: fact["value"] for fact in facts if not fact["case"]}
        least = min(fact["value"] for fact in facts if fact["case"])
        an_element = numbers["instructions"] / numbers["elements"]
        found[f"{PREFIX}.{kernel}.instructions"] = exactly(an_element, "count")
        found[f"{PREFIX}.{kernel}.headroom"] = exactly(least, "ratio")
        for gpu in _gpus(record):
            (ceiling,) = (fact["value"] for fact in facts if fact["case"].get("gpu") == gpu)
            share = exactly(min(ceiling, 1), "share")
            found[f"{PREFIX}.{kernel}.{gpu.lower()}"] = share
    return found


def _gpus(record: Record) -> list[str]:
    """Return the GPUs that there are ceilings for."""
    cases = (fact["case"].get("gpu") for fact in record["facts"])
    return list(dict.fromkeys(gpu for gpu in cases if gpu))
