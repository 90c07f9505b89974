"""Energy, estimated and not measured: counted operations and bytes times published energies.

The published energies are for hardware of 2014.  They leave out the movement of instructions and
operands, and there is none for conversions between formats.
"""

import pandas as pd

from labs.analysis.analysis import Analysis
from labs.analysis.frame import Value, exactly
from labs.analysis.published import numbers
from labs.experiments.mxint8.linear.values import ARMS, batches, counted, prefix
from labs.records.record import Record

ANALYSIS = Analysis("mxint8_linear")

ENERGY, AREA = "H-energy", "P-area"
"""The published statements that give the energy and the area of an operation."""

ACCESS_BYTES = 8
"""What one DRAM access of the published figures reads."""

LEAST, MOST = "DRAM access, at least", "DRAM access, at most"


@ANALYSIS.quoted
def values(record: Record) -> dict[str, Value]:
    """Return the estimated energies of every arm and batch, by name, and published ratios."""
    start, found = prefix(record), {}
    for word, batch in batches(record).items():
        for arm, short in ARMS.items():
            name = f"{start}.{word}.{short}.energy"
            joules = sum(arithmetic(record, arm, batch).values())
            found[f"{name}.arithmetic"] = exactly(joules, "J")
            for bound, price in (("least", LEAST), ("most", MOST)):
                found[f"{name}.memory.{bound}"] = exactly(memory(record, arm, batch, price), "J")
            least = memory(record, arm, batch, LEAST)
            found[f"{name}.memory_over_arithmetic"] = exactly(least / joules, "ratio")
    for what, statement in (("energy", ENERGY), ("area", AREA)):
        costs = numbers(statement)
        for operation, other in (("multiply", "int8"), ("add", "int32")):
            times = costs[f"float32 {operation}"] / costs[f"{other} {operation}"]
            found[f"{start}.published.{what}.{operation}"] = exactly(times, "ratio")
    return found


def arithmetic(record: Record, arm: str, batch: int) -> dict[str, float]:
    """Return the joules of an arm's arithmetic by kind, without conversions."""
    costs = numbers(ENERGY)
    made = counted(record, "operations", arm, batch)
    return {kind: count * costs[kind] for kind, count in made.items() if kind in costs}


def memory(record: Record, arm: str, batch: int, price: str) -> float:
    """Return the joules of moving each of an arm's bytes to or from DRAM once."""
    moved = sum(counted(record, "bytes moved", arm, batch).values())
    return moved / ACCESS_BYTES * numbers(ENERGY)[price]


@ANALYSIS.table("mxint8_linear_energy")
def energy_table(record: Record) -> pd.DataFrame:
    """Return one row per batch, arm and kind of operation: its estimated joules."""
    table = [
        {"device": record["device"], "batch": batch, "arm": arm, "what": kind, "joules": joules}
        for batch in batches(record).values()
        for arm in ARMS
        for kind, joules in arithmetic(record, arm, batch).items()
    ]
    return pd.DataFrame(table)
