"""What is wrong with a config: every fault is one line, and only the first is told."""

import reprlib
from typing import Any, NamedTuple

Path = tuple[Any, ...]
"""The keys and list indices that lead to a value."""

# A misspelt key is unknown, and its right name is missing: the former is told. Values that are
# allowed, each by itself, and do not fit together are told last.
UNKNOWN, MISSING, WRONG, UNFIT = range(4)


class Fault(NamedTuple):
    """A rank of those above, the path of the section or value at fault, and the line to print."""

    rank: int
    path: Path
    text: str


def first(faults: list[Fault]) -> Fault:
    """Return the fault to tell: by rank, then the outer before the inner, then by its place."""
    return min(faults, key=lambda fault: (fault.rank, len(fault.path), dotted(fault.path)))


def wrong(value: Any, path: Path, allowed: str, rank: int = WRONG) -> Fault:
    """Return the fault of the value at path, given what is allowed there."""
    return Fault(rank, path, f"{dotted(path)} is {reprlib.repr(value)}; allowed: {allowed}")


def dotted(path: Path) -> str:
    """presets.quick.fusion.shape[2]"""
    name = ""
    for part in path:
        printable = str(part).encode("unicode_escape").decode()
        name += f"[{printable}]" if isinstance(part, int) else f".{printable}"
    return name.removeprefix(".")
