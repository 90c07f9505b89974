"""How long a run will still take, as make report says it after each job."""

from __future__ import annotations

import pytest

from labs.setup.progress import TRUSTED_SECONDS, Progress, minutes

TABLE = """\
Job stats:
job      count
-------  -----
train        2
judge        1
all          1
total        4
"""


def progress(rate: float = 1.0) -> Progress:
    """Of a run whose table of jobs was printed as it began."""
    found = Progress({"train": 600.0, "judge": 60.0}, rate, began=0.0)
    for line in TABLE.splitlines():
        found.read(line, 0.0)
    return found


def ends(run: Progress, number: int, rule: str, now: float) -> str:
    """What is said when a job has ended."""
    run.read(f"Finished jobid: {number} (Rule: {rule})", now)
    return run.read("1 of 4 steps (25%) done", now)


@pytest.mark.parametrize(("rate", "words"), [(1.0, "About 21 minutes"), (2.0, "About 10 minutes")])
def test_before_a_job_has_ended_the_known_durations_count(rate: float, words: str) -> None:
    assert progress(rate).words(0.0) == f"{words} left."


def test_it_is_said_after_the_table_and_after_each_job() -> None:
    run = Progress({"train": 600.0, "judge": 60.0}, 1.0, 0.0)
    said = [run.read(line, 0.0) for line in TABLE.splitlines()]
    assert said == [*[""] * 6, "About 21 minutes left."]
    run.read("Job 3: Training", 0.0)
    assert ends(run, 3, "train", 600.0) == "About 11 minutes left."


def test_a_machine_that_is_slower_is_believed_with_time() -> None:
    run = progress()
    run.read("Job 3: Training", 0.0)
    # Twice as long as known: at the same pace, 660 s of work take 1320 s more.
    assert ends(run, 3, "train", 1200.0) == f"About {minutes(660 * 1500 / 900)} left."
    slow, trusted = 1200.0 * 9, TRUSTED_SECONDS
    run = progress()
    assert ends(run, 3, "train", slow) == f"About {minutes(660 * (slow + trusted) / 900)} left."


def test_of_jobs_that_run_what_they_have_run_does_not_count_again() -> None:
    run = progress()
    run.read("Job 3: Training", 0.0)
    assert run.words(300.0) == "About 16 minutes left."
    # One that takes longer than known leaves the others.
    run = progress()
    run.read("Job 3: Training", 0.0)
    assert run.words(700.0) == f"About {minutes(660 * 1000 / 900)} left."


def test_nothing_is_said_where_a_rule_is_not_known_or_no_job_is_left() -> None:
    run = Progress({"train": 600.0}, 1.0, 0.0)
    assert not [words for line in TABLE.splitlines() if (words := run.read(line, 0.0))]
    run = progress()
    for number, rule in enumerate(("train", "train", "judge")):
        said = ends(run, number, rule, 1260.0)
    assert said == ""


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "a minute"), (119, "2 minutes"), (3569, "59 minutes"), (7800, "2 h 10 min")],
)
def test_a_duration_is_in_minutes_or_hours(seconds: float, words: str) -> None:
    assert minutes(seconds) == words
