"""A grid in one test leaves no pair of values out, and names the case that fails."""

from itertools import combinations, product

import pytest
from grid import every, pairwise


def test_each_two_values_meet() -> None:
    values = {"a": range(5), "b": range(4), "c": range(3), "d": range(2)}
    met = []
    pairwise(**values)(lambda **case: met.append(tuple(case.values())))()
    assert len(met) < 5 * 4 * 3 * 2 / 4
    for i, j in combinations(range(4), 2):
        one, other = (list(values.values())[k] for k in (i, j))
        assert {(case[i], case[j]) for case in met} == set(product(one, other))


def test_the_case_that_fails_is_named() -> None:
    @every(size=[8, 32], rows=[1, 2])
    def fails_once(size: int, rows: int) -> None:
        assert (size, rows) != (32, 1)

    with pytest.raises(AssertionError) as failed:
        fails_once()
    assert failed.value.__notes__ == ["in the case {'size': 32, 'rows': 1}"]
