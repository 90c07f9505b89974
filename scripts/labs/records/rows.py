"""The rows of a record: samples, facts, checks and profiler lines."""

from typing import Any, Literal, TypedDict, get_args

Case = dict[str, Any]
"""The conditions of a row, such as number format and shape."""

Kind = Literal["samples", "facts", "checks", "profiles"]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Row(TypedDict):
    """What every row has: the process that observed it, what it is about, and its conditions."""

    process: int
    arm: str
    case: Case


class Sample(Row):
    """Raw times in seconds per call, each the mean of so many calls."""

    quantity: str
    calls: int
    seconds: list[float]


class Fact(Row):
    """A number (null in a record where a training diverged) or, with the unit "text", a text."""

    name: str
    value: Any
    unit: str


class Comparison(TypedDict):
    """How far an output is from a reference, relative to its largest magnitude; null: no number."""

    error: Any
    tolerance: float
    passed: bool


class Check(Row, Comparison):
    """The comparison of an arm's whole output with a reference."""

    reference: str


class Operator(TypedDict):
    """An operator's calls, its own time in seconds, and its share of the profiled time."""

    operator: str
    calls: int
    seconds: float
    share: float


class Profile(Row, Operator):
    """An operator of an arm."""


class Rows(TypedDict):
    """The rows of one process or replicate, or of a whole record."""

    samples: list[Sample]
    facts: list[Fact]
    checks: list[Check]
    profiles: list[Profile]


Measured = tuple[list[Rows], list[dict[str, Any]]]
"""The rows of each process or replicate, and the load around each of them."""

MASK = "mask"
"""The number of a random mask, in the cases of those after the first."""
