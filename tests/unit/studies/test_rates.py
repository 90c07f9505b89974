"""Every chain takes the learning rate that is the best on validation, and the report shows it."""

import numpy as np
import pytest

from labs.analysis.rates import rate_table, rate_values
from labs.records.names.studies import RATES
from labs.records.observations import Observations
from labs.records.packed import pack
from labs.studies import rates
from tests.unit.kept import Row


def tried(process: int, right: dict[float, int]) -> Observations:
    """A chain's trainings at each rate, with so many right answers of ten."""
    seen = Observations(process)
    seen.fact("correct", pack(np.ones(10, bool)), "text", "another arm", learning_rate=1.0)
    for rate, number in right.items():
        case = {"split": "validation", "learning_rate": rate}
        seen.fact("correct", pack(np.arange(10) < number), "text", RATES, **case)
    return seen


@pytest.mark.parametrize(
    ("right", "best"),
    [
        ({0.1: 4, 0.01: 7, 0.001: 6}, 0.01),
        # Of equals the lowest, in whatever order they were tried.
        ({0.1: 7, 0.01: 7, 0.001: 6}, 0.01),
        ({0.01: 7, 0.1: 7}, 0.01),
    ],
)
def test_the_best_rate_is_chosen_and_kept(right: dict[float, int], best: float) -> None:
    seen = tried(0, right)
    assert rates.choose(seen) == best
    part: Row = {"facts": seen.rows["facts"]}
    assert rates.chosen_in(part) == best


def test_each_chains_choice_is_told() -> None:
    first, second = tried(0, {0.1: 4, 0.01: 7}), tried(1, {0.1: 8, 0.01: 7})
    for seen in (first, second):
        rates.choose(seen)
    facts = first.rows["facts"] + second.rows["facts"]
    record: Row = {"experiment": "pruning", "device": "cpu", "facts": facts}
    table = rate_table(record)[["replicate", "learning_rate", "accuracy", "chosen"]]
    assert table.values.tolist() == [
        [0, 0.01, 0.7, "yes"],
        [0, 0.1, 0.4, ""],
        [1, 0.01, 0.7, ""],
        [1, 0.1, 0.8, "yes"],
    ]
    found = rate_values(record)["rate"]
    assert isinstance(found, dict)
    assert (found["least"].value, found["most"].value) == (0.01, 0.1)
