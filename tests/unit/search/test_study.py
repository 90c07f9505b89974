"""Studies that are killed, shared, torn, or that fail."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from labs.records.names.search import SAMPLERS
from labs.records.names.studies import GRID, RANDOM, TPE
from labs.studies.evaluations import Evaluations
from labs.studies.journal import Journal, cut_torn_line
from labs.studies.samplers import Sampler
from labs.studies.study import Trial, run

SPACE = {"a": ["1", "2"], "b": ["x", "y", "z"], "c": ["l", "i"], "d": ["l", "i"]}
CELLS = 24
Evaluate = Callable[[Mapping[str, str]], float]
IDENTITY: dict[str, Any] = {"seed": 1}


def value(parameters: Mapping[str, str]) -> float:
    """A value that parameters decide, in no simple order."""
    return sum(map(ord, "".join(parameters.values()))) * 37 % 101 / 101


def slowly(parameters: Mapping[str, str]) -> float:
    """The same, after some time."""
    time.sleep(0.01)
    return value(parameters)


def for_ever(parameters: Mapping[str, str]) -> float:
    """The same, but not while a test runs."""
    time.sleep(600)
    return value(parameters)


def study(
    folder: Path,
    name: str = RANDOM,
    wanted: int = CELLS,
    evaluate: Evaluate = value,
    identity: Mapping[str, Any] = IDENTITY,
) -> list[Trial]:
    """Run a study."""
    sampler = Sampler(name, SPACE, 3, startup=6)
    return run(sampler, Journal(folder, name, identity), wanted, evaluate)


def seen(trials: list[Trial]) -> list[tuple[Mapping[str, str], float | None]]:
    """What counts of trials."""
    return [(trial.parameters, trial.value) for trial in trials]


def forked(work: Callable[[], object]) -> int:
    """The id of a process that does this work; its exit status is 0 if it ends well."""
    process = os.fork()
    if process == 0:
        status = 1
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            work()
            status = 0
        finally:
            os._exit(status)
    return process


def journal(folder: Path) -> Path:
    """The one journal in a folder."""
    (found,) = folder.glob("*.journal")
    return found


@pytest.mark.parametrize("name", SAMPLERS)
def test_a_study_that_is_killed_ten_times_ends_as_one_that_nobody_killed(
    name: str, tmp_path: Path
) -> None:
    whole = study(tmp_path / "whole", name)
    moments = random.Random(name)
    killed = 0
    for _ in range(10):
        process = forked(lambda: study(tmp_path / "killed", name, evaluate=slowly))
        time.sleep(moments.uniform(0.0, 0.08))
        os.kill(process, signal.SIGKILL)
        killed += os.WIFSIGNALED(os.waitpid(process, 0)[1])
    assert killed > 2, "it ended before it was killed"
    again = study(tmp_path / "killed", name)
    assert len(again) == CELLS
    assert seen(again) == seen(whole)


def test_two_workers_run_exactly_as_many_trials_as_were_asked_for(tmp_path: Path) -> None:
    processes = [forked(lambda: study(tmp_path, GRID, evaluate=slowly)) for _ in range(2)]
    assert [os.waitpid(process, 0)[1] for process in processes] == [0, 0]
    states = Counter(
        trial.state.name for trial in Journal(tmp_path, GRID, IDENTITY).open().get_trials()
    )
    assert states == {"COMPLETE": CELLS}
    workers = {
        trial.user_attrs["worker"]
        for trial in Journal(tmp_path, GRID, IDENTITY).open().get_trials()
    }
    assert len(workers) == 2
    cells = {str(trial.parameters) for trial in study(tmp_path, GRID, evaluate=never)}
    assert len(cells) == CELLS


def test_workers_that_are_killed_leave_the_count_exact(tmp_path: Path) -> None:
    moments = random.Random(0)
    for _ in range(5):
        processes = [forked(lambda: study(tmp_path, GRID, evaluate=slowly)) for _ in range(2)]
        for process in processes:
            time.sleep(moments.uniform(0.0, 0.03))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    assert len(study(tmp_path, GRID)) == CELLS
    trials = Journal(tmp_path, GRID, IDENTITY).open().get_trials()
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    assert len(complete) == len({str(trial.params) for trial in complete}) == CELLS
    assert {trial.state.name for trial in trials} <= {"COMPLETE", "FAIL"}


def test_a_worker_takes_over_what_a_dead_one_had_claimed(tmp_path: Path) -> None:
    process = forked(lambda: study(tmp_path, evaluate=for_ever))
    while not running(tmp_path):
        time.sleep(0.01)
    (claimed,) = running(tmp_path)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    trials = study(tmp_path, wanted=3)
    assert trials[0].parameters == claimed
    assert len(trials) == 3 and not running(tmp_path)


def running(folder: Path) -> list[dict[str, Any]]:
    """The parameters of the trials that a journal holds as running under a worker's name."""
    if not list(folder.glob("*.journal")):
        return []
    trials = Journal(folder, RANDOM, IDENTITY).open().get_trials()
    return [t.params for t in trials if t.state.name == "RUNNING" and "worker" in t.user_attrs]


def never(parameters: Mapping[str, str]) -> float:
    """No trial is left to evaluate."""
    raise AssertionError(parameters)


@pytest.mark.parametrize("name", [RANDOM, TPE])
def test_more_trials_go_on_and_fewer_are_the_first(name: str, tmp_path: Path) -> None:
    whole = study(tmp_path / "whole", name, wanted=20)
    study(tmp_path / "twice", name, wanted=8)
    assert seen(study(tmp_path / "twice", name, wanted=20)) == seen(whole)
    assert seen(study(tmp_path / "twice", name, wanted=5, evaluate=never)) == seen(whole)[:5]


def test_a_torn_last_line_is_cut_before_the_next_write(tmp_path: Path) -> None:
    whole = study(tmp_path / "whole", wanted=9)
    study(tmp_path / "torn", wanted=4)
    with journal(tmp_path / "torn").open("ab") as file:
        file.write(b'{"op_code":4,"worker_id":"')
    assert seen(study(tmp_path / "torn", wanted=9)) == seen(whole)
    for line in journal(tmp_path / "torn").read_text().splitlines():
        json.loads(line)


@pytest.mark.parametrize(
    ("held", "left"), [(b"", b""), (b"a", b""), (b"a\n", b"a\n"), (b"a\nb\nc", b"a\nb\n")]
)
def test_what_follows_the_last_line_break_is_cut(held: bytes, left: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(held)
    cut_torn_line(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == left


def test_another_identity_has_another_journal_and_leaves_the_first_alone(tmp_path: Path) -> None:
    study(tmp_path, wanted=4)
    before = journal(tmp_path).read_bytes()
    study(tmp_path, wanted=4, identity={"seed": 2})
    assert len(list(tmp_path.glob("*.journal"))) == 2
    assert before in [path.read_bytes() for path in tmp_path.glob("*.journal")]


def test_a_journal_of_another_study_is_refused_by_name(tmp_path: Path) -> None:
    study(tmp_path, wanted=2, identity={"seed": 2})
    journal(tmp_path).rename(Journal(tmp_path, RANDOM, IDENTITY).path)
    with pytest.raises(SystemExit, match="is the journal of another study"):
        study(tmp_path, wanted=2)


def test_a_file_that_is_no_journal_is_refused_by_name(tmp_path: Path) -> None:
    Journal(tmp_path, RANDOM, IDENTITY).path.write_text("no journal\n" * 3)
    with pytest.raises(SystemExit, match="is no journal"):
        study(tmp_path)


def test_a_failing_trial_is_recorded_with_its_reason(tmp_path: Path) -> None:
    def often(parameters: Mapping[str, str]) -> float:
        if parameters["b"] == "y" and parameters["c"] == "i":
            raise MemoryError("too wide")
        return value(parameters)

    trials = study(tmp_path, GRID, evaluate=often)
    failed = [trial for trial in trials if trial.value is None]
    assert len(trials) == CELLS and len(failed) == 4
    assert {trial.reason for trial in failed} == {"MemoryError: too wide"}
    # It has been tried, so it is not tried again.
    assert seen(study(tmp_path, GRID, evaluate=never)) == seen(trials)


def test_a_value_that_is_no_number_has_failed(tmp_path: Path) -> None:
    (trial,) = study(tmp_path, wanted=1, evaluate=lambda _: float("nan"))
    assert trial.value is None and trial.reason == "its value is nan"


def test_three_failures_in_a_row_stop_the_study_with_one_line(tmp_path: Path) -> None:
    calls = []

    def fail(parameters: Mapping[str, str]) -> float:
        calls.append(parameters)
        raise OSError("disk full")

    with pytest.raises(SystemExit) as stopped:
        study(tmp_path, evaluate=fail)
    assert len(calls) == 3
    assert str(stopped.value).count("\n") == 0
    assert "3 trials in a row" in str(stopped.value) and "OSError: disk full" in str(stopped.value)


def test_a_grid_smaller_than_the_study_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="all 24 cells of the grid are taken"):
        study(tmp_path, GRID, wanted=CELLS + 1)


def test_progress_says_the_best_so_far_and_the_time_left(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    trials = study(tmp_path, wanted=3)
    lines = capfd.readouterr().err.splitlines()
    best = max(trial.value or 0 for trial in trials)
    assert len(lines) == 3
    assert f"[random] trial 3 of 3: {trials[-1].value:.4f}" in lines[-1]
    assert f"best so far {best:.4f}, about 0 s to go" in lines[-1]


def test_an_evaluation_is_made_once_for_what_decides_it(tmp_path: Path) -> None:
    made = []

    def make() -> dict[str, Any]:
        made.append(1)
        return {"accuracy": 0.5}

    kept = Evaluations(tmp_path)
    assert kept.get({"seed": 1, "code": "a"}, make) == {"accuracy": 0.5}
    assert kept.get({"code": "a", "seed": 1}, make) == {"accuracy": 0.5}
    assert len(made) == 1
    kept.get({"seed": 1, "code": "b"}, make)
    assert len(made) == 2
    for path in tmp_path.glob("*.json"):
        path.write_text("{")
    assert kept.get({"seed": 1, "code": "a"}, make) == {"accuracy": 0.5}
    assert len(made) == 3
