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
Case = tuple[Any, ...]


def every(**values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with each combination of its parameters' values."""
    return _in_turn(list(values), list(product(*values.values())))


def pairwise(**values: Iterable[Any]) -> Callable[[Test], Test]:
    """Run a test with few combinations, in which each two values of two parameters meet."""
    return _in_turn(list(values), _covering(list(product(*values.values()))))


def _covering(cases: list[Case]) -> list[Case]:
    """Return cases that have each pair of two parameters' values: again and again the one that has
    most of the pairs that are left.
    """
    pairs = {case: set(combinations(enumerate(case), 2)) for case in cases}
    left = set().union(*pairs.values())
    chosen = []
    while left:
        chosen.append(max(cases, key=lambda case: len(pairs[case] & left)))
        left -= pairs[chosen[-1]]
    return chosen


def _in_turn(names: list[str], cases: list[Case]) -> Callable[[Test], Test]:
    """Run a test with each of the cases; its other parameters stay pytest's fixtures."""

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(**fixtures: Any) -> None:
            for case in cases:
                values = dict(zip(names, case, strict=True))
                try:
                    test(**values, **fixtures)
                except BaseException as error:
                    error.add_note(f"in the case {values}")
                    raise

        signature = inspect.signature(test)
        fixtures = [p for name, p in signature.parameters.items() if name not in names]
        run.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return run

    return decorate
