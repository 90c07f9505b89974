"""One test for a grid of cases: all of it, or as many as let each two values meet.

A test of its own for each of thousands of cases takes pytest longer than the kernels take.  So a
test runs its cases in turn, and the first that fails is named by a note to its exception.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import combinations, product
from typing import Any

Test = Callable[..., None]
Row = tuple[int, ...]


def every(**values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with each combination of its parameters' values."""
    return _in_turn([dict(zip(values, case, strict=True)) for case in product(*values.values())])


def pairwise(**values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with few combinations, in which each two values of two parameters meet."""
    columns = [list(column) for column in values.values()]
    rows = _covering([len(column) for column in columns])
    chosen = [[column[i] for column, i in zip(columns, row, strict=True)] for row in rows]
    return _in_turn([dict(zip(values, case, strict=True)) for case in chosen])


def _covering(counts: list[int]) -> list[Row]:
    """Return rows, of numbers below the counts, that have each pair of two columns' numbers: again
    and again the row that has most of the pairs that are left.
    """
    rows = list(product(*map(range, counts)))
    pairs = {row: set(combinations(enumerate(row), 2)) for row in rows}
    left = set().union(*pairs.values())
    chosen = []
    while left:
        chosen.append(max(rows, key=lambda row: len(pairs[row] & left)))
        left -= pairs[chosen[-1]]
    return chosen


def _in_turn(cases: list[dict[str, Any]]) -> Callable[[Test], Test]:
    """Run a test with each of the cases; its other parameters stay pytest's fixtures."""

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            for case in cases:
                try:
                    test(**case, **fixtures)
                except BaseException as error:
                    error.add_note(f"in the case {case}")
                    raise

        signature = inspect.signature(test)
        fixtures = [p for name, p in signature.parameters.items() if name not in cases[0]]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate
