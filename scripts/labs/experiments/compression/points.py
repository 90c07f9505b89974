"""How the values of a curve's points are named."""

from collections import defaultdict
from collections.abc import Callable, Iterable

from labs.analysis.values import Part, Tree
from labs.records.rows import Case

Path = tuple[Part, Part]


def by_point(
    cases: Iterable[Case], path: Callable[[Case], Path], values: Callable[[Case], Tree]
) -> Tree:
    """Return the values of each point, below the two parts of its name."""
    found: dict[Part, dict[Part, Tree]] = defaultdict(dict)
    for case in cases:
        group, name = path(case)
        found[group][name] = values(case)
    return found


def share(sparsity: float) -> str:
    """Return a sparsity as part of a name: "s50"."""
    return f"s{100 * sparsity:.0f}"
