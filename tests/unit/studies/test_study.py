"""Studies that go on, that fail, and that cannot be; see also tests/workflow/test_searches.py."""

from __future__ import annotations

import errno
import os
import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import optuna
import pytest

from labs.records.names.studies import GRID, NSGA2, RANDOM, TPE, Space
from labs.studies.evaluations import Evaluations
from labs.studies.journal import Journal
from labs.studies.journal_file import cut_torn_line
from labs.studies.samplers import Sampler
from labs.studies.study import Trial, run
from tests.study_program import CELLS, SPACE, STARTUP, journal, seen, value, values

Evaluate = Callable[[Mapping[str, str]], float | Sequence[float]]


def both(parameters: Mapping[str, str]) -> list[float]:
    """The values of two directions."""
    return values(parameters, 2)


def study(
    folder: Path,
    name: str = RANDOM,
    wanted: int = CELLS,
    evaluate: Evaluate = value,
    directions: int = 1,
) -> list[Trial]:
    """Run a study."""
    kept = journal(folder, name, directions)
    return run(Sampler(name, SPACE, 3, STARTUP), kept, wanted, evaluate)


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


def never(parameters: Mapping[str, str]) -> float:
    """No trial is left to evaluate."""
    raise AssertionError(parameters)


@pytest.mark.parametrize("name", [RANDOM, TPE, NSGA2])
def test_with_two_directions_as_well_kills_change_no_trial(name: str, tmp_path: Path) -> None:
    def slowly(parameters: Mapping[str, str]) -> list[float]:
        time.sleep(0.005)
        return both(parameters)

    whole = study(tmp_path / "whole", name, evaluate=both, directions=2)
    moments = random.Random(name)
    for _ in range(20):
        process = forked(lambda: study(tmp_path / "killed", name, evaluate=slowly, directions=2))
        time.sleep(moments.uniform(0.0, 0.06))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    again = study(tmp_path / "killed", name, evaluate=both, directions=2)
    trials = journal(tmp_path / "killed", name, 2).open().get_trials()
    assert len(trials) > CELLS, "no trial was lost"
    assert seen(again) == seen(whole)


def test_a_lost_trial_stays_in_the_generation_that_it_was_drawn_for(tmp_path: Path) -> None:
    """It waits to be tried again, and Optuna gives a generation to what it draws alone."""

    def stop_at(number: int) -> Callable[[Mapping[str, str]], float]:
        def stop(parameters: Mapping[str, str]) -> float:
            calls.append(parameters)
            if len(calls) == number:
                raise KeyboardInterrupt
            return value(parameters)

        calls: list[Mapping[str, str]] = []
        return stop

    whole = study(tmp_path / "whole", NSGA2, wanted=4 * STARTUP)
    # The first child of the second generation: its parents are chosen while it is drawn.
    with pytest.raises(KeyboardInterrupt):
        study(tmp_path / "lost", NSGA2, 4 * STARTUP, stop_at(2 * STARTUP + 1))
    assert seen(study(tmp_path / "lost", NSGA2, wanted=4 * STARTUP)) == seen(whole)


def test_a_child_that_was_lost_while_it_was_drawn_is_drawn_alike() -> None:
    """Optuna orders the parents otherwise when it reads those that it has chosen before."""
    for seed in range(5):
        sampler, trials = Sampler(NSGA2, SPACE, seed, STARTUP), list[Mapping[str, str]]()
        kept = optuna.create_study(directions=["maximize", "minimize"])
        for _ in range(STARTUP):
            trial = sampler.ask(kept, trials)
            trials.append(trial.params)
            kept.tell(trial, both(trial.params))
        lost = sampler.ask(kept, trials)
        kept.tell(lost, state=optuna.trial.TrialState.FAIL)
        assert sampler.ask(kept, trials).params == lost.params


def test_the_population_of_nsga2_evolves_though_its_sampler_is_new_at_every_trial() -> None:
    """Of 16 switches the first half had better be on and the other half off."""
    space: Space = {f"{number:02}": ["off", "on"] for number in range(16)}

    def progress(name: str, seed: int) -> float:
        """By how many right switches a trial of the last generation is better than a random one."""
        sampler, trials = Sampler(name, space, seed, startup=10), list[Mapping[str, str]]()
        kept = optuna.create_study(directions=["maximize", "minimize"])
        right = list[int]()
        for _ in range(80):
            trial = sampler.ask(kept, trials)
            trials.append(trial.params)
            on = [trial.params[switch] == "on" for switch in space]
            kept.tell(trial, [sum(on[:8]), sum(on[8:])])
            right.append(sum(on[:8]) + 8 - sum(on[8:]))
        return sum(right[-10:]) / 10 - 8

    assert [progress(NSGA2, seed) > 2 for seed in range(3)] == [True] * 3
    assert [progress(RANDOM, seed) > 2 for seed in range(3)] == [False] * 3


def test_workers_that_are_killed_leave_the_count_exact(tmp_path: Path) -> None:
    def slowly(parameters: Mapping[str, str]) -> float:
        time.sleep(0.01)
        return value(parameters)

    moments = random.Random(0)
    for _ in range(5):
        processes = [forked(lambda: study(tmp_path, GRID, evaluate=slowly)) for _ in range(2)]
        for process in processes:
            time.sleep(moments.uniform(0.0, 0.03))
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
    assert len(study(tmp_path, GRID)) == CELLS
    trials = journal(tmp_path, GRID).open().get_trials()
    complete = [trial for trial in trials if trial.state.name == "COMPLETE"]
    assert len(complete) == len({str(trial.params) for trial in complete}) == CELLS
    assert {trial.state.name for trial in trials} <= {"COMPLETE", "FAIL"}


@pytest.mark.parametrize("name", [RANDOM, TPE])
def test_more_trials_go_on_and_fewer_are_the_first(name: str, tmp_path: Path) -> None:
    whole = study(tmp_path / "whole", name, wanted=20)
    study(tmp_path / "twice", name, wanted=8)
    assert seen(study(tmp_path / "twice", name, wanted=20)) == seen(whole)
    assert seen(study(tmp_path / "twice", name, wanted=5, evaluate=never)) == seen(whole)[:5]


@pytest.mark.parametrize(
    ("held", "left"), [(b"", b""), (b"a", b""), (b"a\n", b"a\n"), (b"a\nb\nc", b"a\nb\n")]
)
def test_what_follows_the_last_line_break_is_cut(held: bytes, left: bytes, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(held)
    cut_torn_line(tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == left


def test_a_journal_of_another_study_is_refused_by_name(tmp_path: Path) -> None:
    other = Journal(tmp_path, RANDOM, {"space": "another"})
    other.open()
    other.path.rename(journal(tmp_path, RANDOM).path)
    with pytest.raises(SystemExit, match="is the journal of another study"):
        study(tmp_path, wanted=2)


def test_other_directions_have_another_journal(tmp_path: Path) -> None:
    study(tmp_path, wanted=2)
    study(tmp_path, wanted=2, evaluate=both, directions=2)
    assert len(list(tmp_path.glob("*.journal"))) == 2


def test_what_json_writes_otherwise_is_the_same_identity(tmp_path: Path) -> None:
    Journal(tmp_path, RANDOM, {"space": ("a", "b")}).open()
    Journal(tmp_path, RANDOM, {"space": ["a", "b"]}).open()
    assert len(list(tmp_path.glob("*.journal"))) == 1


def test_a_file_that_is_no_journal_is_refused_by_name(tmp_path: Path) -> None:
    journal(tmp_path, RANDOM).path.write_text("no journal\n" * 3)
    with pytest.raises(SystemExit, match="is no journal"):
        study(tmp_path)


def test_a_failing_trial_is_recorded_with_its_reason(tmp_path: Path) -> None:
    def often(parameters: Mapping[str, str]) -> float:
        if parameters["width"] == "y" and parameters["key"] == "identity":
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
        raise OSError("no such file")

    with pytest.raises(SystemExit) as stopped:
        study(tmp_path, evaluate=fail)
    assert len(calls) == 3
    assert str(stopped.value).count("\n") == 0
    assert "3 trials in a row" in str(stopped.value) and "OSError: no such file" in str(
        stopped.value
    )


def no_room(*_: object) -> float:
    """What a write raises on a full disk."""
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_disk_that_is_full_fails_no_trial(tmp_path: Path) -> None:
    """A training that cannot write its checkpoint says nothing about its architecture."""
    whole = study(tmp_path / "whole")
    study(tmp_path / "full", wanted=5)
    with pytest.raises(SystemExit) as stopped:
        study(tmp_path / "full", evaluate=no_room)
    assert str(stopped.value) == (
        f"error: {tmp_path / 'full'} cannot be written: No space left on device; "
        "free space on its disk, then run the same command again, which goes on"
    )
    assert seen(study(tmp_path / "full")) == seen(whole)


def test_an_evaluation_that_finds_no_room_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("labs.studies.evaluations.write_text", no_room)
    with pytest.raises(SystemExit, match=rf"error: {tmp_path}/\w+.json cannot be written"):
        Evaluations(tmp_path).get({"seed": 1}, lambda: {"accuracy": 0.5})


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: Sampler("tpee", SPACE, 3, STARTUP), "tpee is no sampler; allowed: grid, random"),
        (lambda: Sampler(NSGA2, SPACE, 3, 1), "startup of nsga2 is 1; allowed: 2 or more"),
        (lambda: Sampler(TPE, SPACE, 3, 0), "startup of tpe is 0; allowed: 1 or more"),
        (lambda: Sampler(GRID, {"layers": []}, 3, 1), "a parameter without choices: {'layers'"),
        (lambda: study(Path("none"), wanted=0), "0 trials are asked of the study random"),
        (lambda: study(Path("none"), GRID, CELLS + 1), "grid, whose grid has 24 cells"),
    ],
)
def test_a_study_that_cannot_be_is_refused_with_one_line(
    ask: Callable[[], object], said: str
) -> None:
    with pytest.raises(SystemExit) as refused:
        ask()
    assert said in str(refused.value) and str(refused.value).startswith("error: ")
    assert "\n" not in str(refused.value)
    assert not Path("none").exists()


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
