"""Curves keep their points: no job observes what another has observed."""

from pathlib import Path

import pytest

from labs.experiments.compression.curves import Case, follow
from labs.records.observations import Observations

CASES: list[Case] = [{"sparsity": x} for x in (0.1, 0.5, 0.9)]


class Observer:
    """Records the cases that it was asked for; if told to, fails at the third."""

    def __init__(self, fails: bool = False) -> None:
        self.asked: list[float] = []
        self.fails = fails

    def __call__(self, seen: Observations, case: Case) -> None:
        self.asked.append(case["sparsity"])
        if self.fails and len(self.asked) == 3:
            raise KeyboardInterrupt
        seen.fact("accuracy", case["sparsity"] / 2, "share", "arm", **case)


def accuracies(
    cases: list[Case], observe: Observer, studies: Path, identity: str = "one"
) -> list[float]:
    """What is observed in these cases."""
    seen = Observations(0)
    follow(seen, cases, observe, studies, identity)
    return [row["value"] for row in seen.facts]


def killed(studies: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        accuracies(CASES, Observer(fails=True), studies)


def test_all_points_are_observed_in_order(tmp_path: Path) -> None:
    assert accuracies(CASES, Observer(), tmp_path) == [0.05, 0.25, 0.45]


def test_a_restart_observes_only_what_is_missing(tmp_path: Path) -> None:
    again = Observer()
    killed(tmp_path)
    assert accuracies(CASES, again, tmp_path) == [0.05, 0.25, 0.45]
    assert again.asked == [0.9]


def test_a_point_more_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    more = Observer()
    accuracies(CASES[::2], Observer(), tmp_path)
    assert accuracies(CASES, more, tmp_path) == [0.05, 0.25, 0.45]
    assert more.asked == [0.5]


def test_points_of_another_model_are_not_used(tmp_path: Path) -> None:
    again = Observer()
    killed(tmp_path)
    accuracies(CASES, again, tmp_path, "another")
    assert again.asked == [0.1, 0.5, 0.9]


def test_points_that_are_no_longer_asked_for_are_left_out(tmp_path: Path) -> None:
    accuracies(CASES, Observer(), tmp_path)
    assert accuracies(CASES[:1], Observer(), tmp_path) == [0.05]
