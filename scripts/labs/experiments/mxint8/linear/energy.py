"""Energy, estimated and not measured: counted operations and bytes times published energies.

The published energies are for hardware of 2014.  They leave out the movement of instructions and
operands, and there is none for conversions between formats.
"""

from collections.abc import Mapping

from labs.analysis.published import numbers
from labs.analysis.values import Tree
from labs.records.quantity import counted

ENERGY, AREA = "H-energy", "P-area"
"""The published statements that give the energy and the area of an operation."""

ACCESS_BYTES = 8
"""What one DRAM access of the published figures reads."""


def energies(operations: Mapping[str, float], moved: float) -> Tree:
    """Return the energies of an arm's arithmetic, and of moving its bytes to or from DRAM once."""
    joules, costs = sum(arithmetic(operations).values()), numbers(ENERGY)
    least, most = (
        moved / ACCESS_BYTES * costs[f"DRAM access, at {end}"] for end in ("least", "most")
    )
    return {
        "arithmetic": counted(joules, "J"),
        "memory": {"least": counted(least, "J"), "most": counted(most, "J")},
        "memory_over_arithmetic": counted(least / joules, "ratio"),
    }


def arithmetic(operations: Mapping[str, float]) -> dict[str, float]:
    """Return the joules of counted operations by kind, without conversions."""
    costs = numbers(ENERGY)
    return {kind: count * costs[kind] for kind, count in operations.items() if kind in costs}


def published_ratios() -> Tree:
    """Return how much more energy and area a product in float32 takes than one of integers."""
    return {
        what: {"multiply": counted(costs["float32 multiply"] / costs["int8 multiply"], "ratio")}
        for what, costs in (("energy", numbers(ENERGY)), ("area", numbers(AREA)))
    }
