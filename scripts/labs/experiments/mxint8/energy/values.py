"""Energy, estimated and not measured: counted operations and bytes times published energies.

The published energies are for hardware of 2014.  They leave out the movement of instructions and
operands, and there is none for conversions between formats.
"""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, counted, exactly, prefixed
from labs.analysis.published import numbers
from labs.experiments.mxint8.linear.values import ARMS, batches, counts, prefix
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_linear")

ENERGY, AREA = "H-energy", "P-area"
"""The published statements that give the energy and the area of an operation."""

ACCESS_BYTES = 8
"""What one DRAM access of the published figures reads."""


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return the estimated energies of every arm and batch, by name, and published ratios."""
    energy, result = numbers(ENERGY), {}
    for word, batch in batches(record).items():
        for arm, short in ARMS.items():
            joules = sum(arithmetic(record, arm, batch).values())
            accesses = sum(counts(record, "bytes moved", arm, batch).values()) / ACCESS_BYTES
            # Each byte is moved to or from DRAM once.
            least, most = (accesses * energy[f"DRAM access, at {end}"] for end in ("least", "most"))
            by_name = {"arithmetic": joules, "memory.least": least, "memory.most": most}
            result |= prefixed(f"{word}.{short}.energy", counted("J", by_name))
            over = exactly(least / joules, "ratio")
            result[f"{word}.{short}.energy.memory_over_arithmetic"] = over
    for what, costs in (("energy", energy), ("area", numbers(AREA))):
        for operation, integer in (("multiply", "int8"), ("add", "int32")):
            ratio = costs[f"float32 {operation}"] / costs[f"{integer} {operation}"]
            result[f"published.{what}.{operation}"] = exactly(ratio, "ratio")
    return prefixed(prefix(record), result)


def arithmetic(record: Record, arm: str, batch: int) -> dict[str, float]:
    """Return the joules of an arm's arithmetic by kind, without conversions."""
    energy = numbers(ENERGY)
    operations = counts(record, "operations", arm, batch)
    return {kind: count * energy[kind] for kind, count in operations.items() if kind in energy}


@ANALYSIS.table("mxint8_linear_energy")
def energy_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of operation: its estimated joules."""
    return pd.DataFrame(
        {"device": record["device"], "batch": batch, "arm": arm, "what": kind, "joules": joules}
        for batch in batches(record).values()
        for arm in ARMS
        for kind, joules in arithmetic(record, arm, batch).items()
    )
