"""What matters for the best trials is found; where nothing does, shuffled values say as much."""

import random

import pytest

from labs.studies.importance import LEAST_TRIALS, by_chance, importances

SPACE = {"width": ("1", "2", "4", "8"), "colour": ("red", "blue"), "deep.shade": ("dark", "pale")}


def trials() -> list[dict[str, str]]:
    """Trials drawn at random; only the wide ones have a shade."""
    generator = random.Random(0)
    found = []
    for _ in range(LEAST_TRIALS):
        trial = {name: generator.choice(choices) for name, choices in SPACE.items()}
        if trial["width"] == "1":
            del trial["deep.shade"]
        found.append(trial)
    return found


@pytest.mark.parametrize(
    ("name", "choice"), [("width", "8"), ("colour", "blue"), ("deep.shade", "pale")]
)
def test_the_parameter_that_decides_has_the_largest_share(name: str, choice: str) -> None:
    """Also one that not every trial has."""
    some, generator = trials(), random.Random(1)
    values = [float(trial.get(name) == choice) + 0.01 * generator.random() for trial in some]
    found = importances(SPACE, some, values)
    assert max(found, key=lambda key: found[key]) == name
    assert sum(found.values()) == pytest.approx(1)
    assert found[name] > by_chance(SPACE, some, values, seed=0)[name]


def test_shares_by_chance_depend_on_the_seed_alone() -> None:
    some = trials()
    values = [float(number) for number in range(len(some))]
    assert by_chance(SPACE, some, values, 3) == by_chance(SPACE, some, values, 3)
    assert by_chance(SPACE, some, values, 3) != by_chance(SPACE, some, values, 4)
