"""Studies that begin again end the same (see also tests/jobs), and tell what mattered."""

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from optuna.study import StudyDirection

from labs.records.names.studies import GRID, NSGA2, RANDOM, TPE, Space
from labs.studies.evaluations import Evaluations
from labs.studies.importance import LEAST_TRIALS, by_chance, importances
from labs.studies.samplers import Sampler
from labs.studies.study import run

EITHER = ["linear", "identity"]
SPACE: Space = {"layers": ["1", "2"], "width": ["x", "y", "z"], "query": EITHER, "key": EITHER}
CELLS = 24
DIRECTIONS = (StudyDirection.MAXIMIZE, StudyDirection.MINIMIZE)

Evaluate = Callable[[Mapping[str, str]], Sequence[float]]


def values(parameters: Mapping[str, str]) -> list[float]:
    """Two values that parameters decide, the first one in no simple order."""
    first = sum(map(ord, "".join(parameters.values()))) * 37 % 101 / 101
    return [first, float(sum(map(len, parameters.values())))]


def never(parameters: Mapping[str, str]) -> list[float]:
    raise AssertionError(parameters)


def study(
    folder: Path, name: str, evaluate: Evaluate = values, directions: int = 1, wanted: int = CELLS
) -> list[tuple[Mapping[str, str], Sequence[float]]]:
    """What counts of the trials of a study, whose evaluations are kept in a folder."""
    evaluations = Evaluations(folder)

    def kept(parameters: Mapping[str, str]) -> Sequence[float]:
        def made() -> dict[str, Any]:
            return {"values": evaluate(parameters)}

        found: list[float] = evaluations.get(parameters, made)["values"]
        return found[:directions]

    sampler = Sampler(name, SPACE, 3, startup=6)
    trials = run(name, sampler, wanted, kept, DIRECTIONS[:directions])
    return [(trial.parameters, trial.values) for trial in trials]


def interrupted(evaluations: int) -> Evaluate:
    """What evaluates trials, and is interrupted in so manieth evaluation."""

    def evaluate(parameters: Mapping[str, str]) -> Sequence[float]:
        if next(calls) == evaluations:
            raise KeyboardInterrupt
        return values(parameters)

    calls = count(1)
    return evaluate


@pytest.mark.parametrize(
    ("name", "directions"), [(GRID, 1), (RANDOM, 1), (RANDOM, 2), (TPE, 1), (TPE, 2), (NSGA2, 2)]
)
def test_interruptions_change_no_trial(name: str, directions: int, tmp_path: Path) -> None:
    """That the programs survive a kill as well is a test of theirs: tests/jobs."""
    whole = study(tmp_path / "whole", name, directions=directions)
    interruptions = 0
    while interruptions < CELLS:
        with suppress(KeyboardInterrupt):
            study(tmp_path / "parts", name, interrupted(3), directions)
            break
        interruptions += 1
    assert interruptions >= 3
    assert study(tmp_path / "parts", name, never, directions) == whole


def test_a_grid_is_tried_once_in_its_order(tmp_path: Path) -> None:
    order = Sampler(GRID, SPACE, 3, 1).grid()
    assert len({str(cell) for cell in order}) == CELLS
    assert [parameters for parameters, _ in study(tmp_path, GRID)] == order


@pytest.mark.parametrize("name", [RANDOM, TPE])
def test_more_trials_go_on_and_fewer_are_the_first(name: str, tmp_path: Path) -> None:
    eight = study(tmp_path, name, wanted=8)
    whole = study(tmp_path, name, wanted=20)
    assert whole[:8] == eight
    assert study(tmp_path, name, never, wanted=5) == whole[:5]


def test_a_value_that_is_no_number_ends_a_study_with_one_line() -> None:
    sampler = Sampler(RANDOM, {"width": ["x"]}, 3, 1)
    with pytest.raises(SystemExit) as ended:
        run("lab", sampler, 1, lambda _: [float("nan")])
    assert str(ended.value) == "error: a trial of the study lab (width x) has the value nan"


def test_progress_says_the_best_so_far_and_the_time_left(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    moments = count()
    # Between two looks at the clock, of which each trial has three, 1 s passes.
    monkeypatch.setattr("labs.studies.study.time.monotonic", lambda: float(next(moments)))
    trials = study(tmp_path, RANDOM, directions=2, wanted=3)
    lines = capfd.readouterr().err.splitlines()
    best, least = max(one[0] for _, one in trials), min(one[1] for _, one in trials)
    assert len(lines) == 3
    assert f"[random] trial 1 of 3: {trials[0][1][0]:.4f} and {trials[0][1][1]:.4f} (" in lines[0]
    assert lines[0].endswith("about 2 s to go")
    assert lines[2].endswith(f"best so far {best:.4f} and {least:.4f}, about 0 s to go")


CHOICES = {"width": ("1", "2", "4", "8"), "colour": ("red", "blue"), "deep.shade": ("dark", "pale")}


def drawn() -> list[dict[str, str]]:
    """Trials drawn at random; only the wide ones have a shade."""
    generator = random.Random(0)
    found = []
    for _ in range(LEAST_TRIALS):
        trial = {name: generator.choice(choices) for name, choices in CHOICES.items()}
        if trial["width"] == "1":
            del trial["deep.shade"]
        found.append(trial)
    return found


@pytest.mark.parametrize(
    ("name", "choice"), [("width", "8"), ("colour", "blue"), ("deep.shade", "pale")]
)
def test_the_parameter_that_decides_has_the_largest_share(name: str, choice: str) -> None:
    """Also one that not every trial has."""
    some, generator = drawn(), random.Random(1)
    values = [float(trial.get(name) == choice) + 0.01 * generator.random() for trial in some]
    found = importances(CHOICES, some, values)
    assert max(found, key=lambda key: found[key]) == name
    assert sum(found.values()) == pytest.approx(1)
    assert found[name] > by_chance(CHOICES, some, values, seed=0)[name]


def test_shares_by_chance_depend_on_the_seed_alone() -> None:
    some = drawn()
    values = [float(number) for number in range(len(some))]
    assert by_chance(CHOICES, some, values, 3) == by_chance(CHOICES, some, values, 3)
    assert by_chance(CHOICES, some, values, 3) != by_chance(CHOICES, some, values, 4)
