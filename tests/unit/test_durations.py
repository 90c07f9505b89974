"""How long jobs took, and how long those to come will take: estimates, schedules and progress."""

import shlex
from pathlib import Path

import pytest

from estimate import estimate
from labs.setup.durations import Run, duration_file, mean_seconds, rate, runs_by_rule, write_run
from labs.setup.plan import Job, job_of
from labs.setup.progress import TRUSTED_SECONDS, Progress, minutes
from labs.setup.schedule import wall_seconds


def test_jobs_are_of_the_preset_or_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(Run(["build"], 90.0, 95.0), "logs/build_mxint_cuda.log")
    write_run(Run(["train", "0"], 100.0, 401.0), "logs/quick/train/0.log")
    write_run(Run(["train", "1"], 400.0, 501.0), "logs/quick/train/1.log")
    write_run(Run(["train", "0"], 100.0, 110.0), "logs/smoke/train/0.log")
    duration_file("logs/quick/half.log").write_text('{"command": [')
    assert mean_seconds("quick") == {"build_mxint_cuda": 5.0, "train": 201.0}
    assert runs_by_rule("smoke")["train"] == [Run(["train", "0"], 100.0, 110.0)]
    assert mean_seconds("full") == {"build_mxint_cuda": 5.0}


def test_a_job_during_which_the_clock_was_set_back_has_no_known_duration() -> None:
    assert Run(["train"], 4000.0, 500.0).seconds == 0.0


@pytest.mark.parametrize(
    ("spans", "expected"),
    [([(0, 10), (0, 10)], 2.0), ([(0, 10), (90, 100)], 1.0), ([(0, 10), (5, 10)], 1.5), ([], 1.0)],
)
def test_the_rate_counts_jobs_at_once(spans: list[tuple[float, float]], expected: float) -> None:
    assert rate([Run([], *span) for span in spans]) == expected


LOG = "logs/quick/train_lora/0.log"
TRAIN = "scripts/run_experiment.py lora/training --layers 2 --reason 'two words'"


def training(shell: str) -> Job:
    """A training as the plugin hears of it."""
    told = {"rule_name": "train_lora", "rule_msg": "Training", "threads": 2, "shellcmd": shell}
    return job_of({**told, "input": ["tokens"], "output": ["record"], "log": [LOG]})


def test_a_duration_is_known_for_the_same_command_whatever_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(Run(shlex.split(TRAIN), 0, 3600), LOG)
    shell = "\n PYTHONPATH=x python scripts/run_unchanged.py {} {} a.py {}    2>&1 | tee {}\n"
    same = training(shell.format(LOG, "aaaa", TRAIN, LOG))
    other = training(shell.format(LOG, "aaaa", TRAIN.replace("2", "6"), LOG))
    assert (same.seconds, other.seconds) == (3600, 0)
    assert estimate([same, other], 4, [1]).splitlines() == [
        "Jobs: 2, 1 of them with a recorded duration",
        "Core-hours of these 1 jobs: 2.00",
        "Wall time of these 1 jobs on 1 x 4 cores: 1.00 h",
        "Not known, as no such job has run here with these sizes: train_lora (1)",
    ]
    assert estimate([other], 4, [1]).splitlines() == [
        "Jobs: 1, 0 of them with a recorded duration",
        "Not known, as no such job has run here with these sizes: train_lora (1)",
    ]


def job(seconds: float, cores: int = 1, needs: str = "", makes: str = "") -> Job:
    files = frozenset(needs.split()), frozenset(makes.split())
    return Job("train", "Training", cores, *files, "log", seconds)


@pytest.mark.parametrize(
    ("jobs", "nodes", "seconds"),
    [
        ([job(6), job(4), job(2)], 1, 6),
        ([job(6), job(4), job(2), job(2)], 1, 8),
        # A timing job has a node to itself.
        ([job(6), job(5, cores=2)], 1, 11),
        ([job(6), job(5, cores=2)], 2, 6),
        # What fits overtakes it.
        ([job(5), job(4, cores=2), job(6)], 1, 10),
        # Cores that are free at the same time are free together.
        ([job(6), job(6), job(2, cores=2, makes="a"), job(3), job(5, needs="a")], 1, 13),
        # A node has no more cores than it has.
        ([job(3, cores=8)], 1, 3),
        # What needs a file waits for it; a file that no job makes is there.
        ([job(6, makes="a"), job(4, needs="a data")], 2, 10),
        ([], 1, 0),
    ],
)
def test_wall_time_is_that_of_a_schedule(jobs: list[Job], nodes: int, seconds: float) -> None:
    assert wall_seconds(jobs, nodes, cores=2) == seconds


PLANNED = {"stats": {"train": 2, "judge": 1, "all": 1, "total": 4}}


def progress(rate: float = 1.0) -> Progress:
    """Of a run whose jobs were counted as it began."""
    found = Progress({"train": 600.0, "judge": 60.0}, rate, began=0.0)
    found.hear("run_info", PLANNED, 0.0)
    return found


def starts(run: Progress, number: int = 3, rule: str = "train") -> Progress:
    assert run.hear("job_info", {"jobid": number, "rule_name": rule}, 0.0) == ""
    return run


def ends(run: Progress, now: float, number: int = 3) -> str:
    assert run.hear("job_finished", {"job_id": number}, now) == ""
    return run.hear("progress", {}, now)


@pytest.mark.parametrize(("rate", "words"), [(1.0, "About 21 minutes"), (2.0, "About 10 minutes")])
def test_before_a_job_has_ended_the_known_durations_count(rate: float, words: str) -> None:
    assert progress(rate).words(0.0) == f"{words} left."


def test_it_is_said_when_the_jobs_are_known_and_after_each_job() -> None:
    run = Progress({"train": 600.0, "judge": 60.0}, 1.0, 0.0)
    assert run.hear(None, {}, 0.0) == ""
    assert run.hear("run_info", PLANNED, 0.0) == "About 21 minutes left."
    assert ends(starts(run), 600.0) == "About 11 minutes left."


def test_a_machine_that_is_slower_is_believed_with_time() -> None:
    # Twice as long as known: at the same pace, 660 s of work take 1320 s more.
    for slow in (1200.0, 1200.0 * 9):
        said = ends(starts(progress()), slow)
        assert said == f"About {minutes(660 * (slow + TRUSTED_SECONDS) / 900)} left."


def test_of_jobs_that_run_what_they_have_run_does_not_count_again() -> None:
    assert starts(progress()).words(300.0) == "About 16 minutes left."
    # One that takes longer than known leaves the others.
    assert starts(progress()).words(700.0) == f"About {minutes(660 * 1000 / 900)} left."


def test_a_job_that_fails_runs_no_more() -> None:
    run = starts(progress())
    run.hear("job_error", {"jobid": 3}, 300.0)
    assert run.words(300.0) == f"About {minutes(1260 * 2)} left."


def test_how_long_is_not_said_where_a_rule_is_not_known_or_no_job_is_left() -> None:
    run = Progress({"train": 600.0}, 1.0, 0.0)
    said = "How long this takes is not known. Rules that have not run here: 1."
    assert run.hear("run_info", PLANNED, 0.0) == said
    assert ends(starts(run), 600.0) == ""
    run = progress()
    for number, rule in enumerate(("train", "train", "judge")):
        said = ends(starts(run, number, rule), 1260.0, number)
    assert said == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "a minute"), (119, "2 minutes"), (3569, "59 minutes"), (7800, "2 h 10 min")],
)
def test_a_duration_is_in_minutes_or_hours(seconds: float, words: str) -> None:
    assert minutes(seconds) == words
