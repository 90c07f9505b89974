"""How long a run will still take, as make report says it after each job."""

import pytest

from labs.setup.progress import TRUSTED_SECONDS, Progress, minutes

PLANNED = {"stats": {"train": 2, "judge": 1, "all": 1, "total": 4}}


def progress(rate: float = 1.0) -> Progress:
    """Of a run whose jobs were counted as it began."""
    found = Progress({"train": 600.0, "judge": 60.0}, rate, began=0.0)
    found.hear("run_info", PLANNED, 0.0)
    return found


def starts(run: Progress, number: int = 3, rule: str = "train") -> Progress:
    """A job starts at once."""
    assert run.hear("job_info", {"jobid": number, "rule_name": rule}, 0.0) == ""
    return run


def ends(run: Progress, now: float, number: int = 3) -> str:
    """What is said when a job has ended."""
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


def test_nothing_is_said_where_a_rule_is_not_known_or_no_job_is_left() -> None:
    run = Progress({"train": 600.0}, 1.0, 0.0)
    assert run.hear("run_info", PLANNED, 0.0) == ""
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
