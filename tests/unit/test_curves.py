"""Curves keep their points: a restart observes only what is missing."""

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


def accuracies(seen: Observations) -> list[float]:
    return [row["value"] for row in seen.facts]


def killed(points: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        follow(CASES, Observer(fails=True), 0, points, "one")


def test_all_points_are_observed_in_order(tmp_path: Path) -> None:
    seen = follow(CASES, Observer(), 3, tmp_path / "points", "one")
    assert accuracies(seen) == [0.05, 0.25, 0.45]
    assert {row["process"] for row in seen.rows()["facts"]} == {3}


def test_a_restart_observes_only_what_is_missing(tmp_path: Path) -> None:
    points, again = tmp_path / "points", Observer()
    killed(points)
    seen = follow(CASES, again, 0, points, "one")
    assert again.asked == [0.9]
    assert accuracies(seen) == [0.05, 0.25, 0.45]


def test_points_of_another_curve_are_not_used(tmp_path: Path) -> None:
    points, again = tmp_path / "points", Observer()
    killed(points)
    follow(CASES, again, 0, points, "another")
    assert again.asked == [0.1, 0.5, 0.9]


def test_points_that_are_no_longer_asked_for_are_left_out(tmp_path: Path) -> None:
    points = tmp_path / "points"
    follow(CASES, Observer(), 0, points, "one")
    assert accuracies(follow(CASES[:1], Observer(), 0, points, "one")) == [0.05]
