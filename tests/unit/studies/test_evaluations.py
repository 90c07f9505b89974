"""An evaluation is made once for what decides it, also one that fails; so is a point of a curve."""

import errno
from pathlib import Path
from typing import Any

import pytest

from labs.experiments.compression.curves import follow
from labs.records.observations import Observations
from labs.records.rows import Case
from labs.studies.evaluations import Evaluations

DECIDED_BY = {"seed": 1, "code": "a"}


def never() -> dict[str, Any]:
    raise AssertionError


def no_room(*_: object) -> dict[str, Any]:
    """What a write raises on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_an_evaluation_is_made_once_for_what_decides_it(tmp_path: Path) -> None:
    kept = Evaluations(tmp_path)
    # A training that diverged has no loss.
    diverged = {"accuracy": 0.5, "loss": float("inf")}
    assert kept.get(DECIDED_BY, lambda: diverged) == diverged
    assert kept.get({"code": "a", "seed": 1}, never) == diverged
    assert kept.get({"code": "b", "seed": 1}, lambda: {"accuracy": 0.6}) == {"accuracy": 0.6}


@pytest.mark.parametrize("held", ["", "{", "[]", "null", '{"decided by": {}}'])
def test_one_that_is_damaged_is_made_anew(held: str, tmp_path: Path) -> None:
    kept = Evaluations(tmp_path)
    kept.get(DECIDED_BY, lambda: {"accuracy": 0.5})
    (path,) = tmp_path.iterdir()
    path.write_text(held)
    assert kept.get(DECIDED_BY, lambda: {"accuracy": 0.6}) == {"accuracy": 0.6}
    assert kept.get(DECIDED_BY, never) == {"accuracy": 0.6}


def test_one_that_failed_is_kept_with_its_reason_until_it_is_deleted(tmp_path: Path) -> None:
    def fail() -> dict[str, Any]:
        raise RuntimeError("too wide")

    for evaluate in (fail, never):
        with pytest.raises(SystemExit) as ended:
            Evaluations(tmp_path).get(DECIDED_BY, evaluate)
        (path,) = tmp_path.iterdir()
        assert str(ended.value) == (
            f"error: an evaluation failed: RuntimeError: too wide; {path} says of what: "
            "delete it to try again"
        )
    path.unlink()
    assert Evaluations(tmp_path).get(DECIDED_BY, lambda: {"accuracy": 0.5}) == {"accuracy": 0.5}


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("DefaultCPUAllocator: can't allocate memory"),
        FileNotFoundError("tokens.parquet"),
    ],
    ids=["memory is short", "a file is missing"],
)
def test_what_says_nothing_of_the_evaluation_is_not_kept(error: Exception, tmp_path: Path) -> None:
    def evaluate() -> dict[str, Any]:
        raise error

    with pytest.raises(type(error)):
        Evaluations(tmp_path).get(DECIDED_BY, evaluate)
    assert Evaluations(tmp_path).get(DECIDED_BY, lambda: {"accuracy": 0.5}) == {"accuracy": 0.5}


def test_a_full_disk_fails_no_evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A training that cannot write its checkpoint says nothing about its architecture."""
    said = (
        f"error: {tmp_path} cannot be written: No space left on device; "
        "free space on its disk, then run the same command again, which goes on"
    )
    kept = Evaluations(tmp_path)
    with pytest.raises(SystemExit) as ended:
        kept.get(DECIDED_BY, no_room)
    assert str(ended.value) == said
    with monkeypatch.context() as full, pytest.raises(SystemExit) as ended:
        full.setattr("labs.studies.evaluations.write_text", no_room)
        kept.get(DECIDED_BY, lambda: {"accuracy": 0.5})
    assert str(ended.value) == said
    assert kept.get(DECIDED_BY, lambda: {"accuracy": 0.6}) == {"accuracy": 0.6}


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
    seen = Observations(0)
    follow(seen, cases, observe, studies, identity)
    return [row["value"] for row in seen.rows["facts"]]


def killed(studies: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        accuracies(CASES, Observer(fails=True), studies)


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
