"""What a draft says of a record: whether it is missing, which jobs it waits for, how logs end."""

from pathlib import Path

import pytest

from labs.records.record import write
from labs.setup.durations import Run, duration_file, write_run
from labs.setup.plan import Job
from make_draft import LINES, SHOWN, lack
from tests.unit import kept

LORA, SEARCH = (f"results/quick/records/{name}.json" for name in ("lora", "search"))
PARTS = [f"results/quick/parts/{number}.json" for number in range(SHOWN + 2)]


def job(title: str, output: str, *inputs: str) -> Job:
    return Job("rule", title, 1, frozenset(inputs), frozenset([output]), f"logs/{title}.log")


TRAIN = job("Training", LORA)
SEARCHING = [job(f"Part {number}", part, "data.csv") for number, part in enumerate(PARTS)]
GATHER = job("Gathering", SEARCH, *PARTS)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()


def begins(begun: Job, said: str = "") -> None:
    """Leave what a job leaves that began."""
    duration_file(begun.log).unlink(missing_ok=True)
    Path(begun.log).write_text(said)


def test_a_record_that_was_made_is_missing_where_it_was_deleted_or_is_made_again() -> None:
    begins(TRAIN, "all went well")
    write_run(Run([], 0, 1), TRAIN.log)
    assert lack(LORA, [TRAIN]) == "There is no record. “Training” has run before."
    write(kept.record("lora"), Path(LORA))
    assert lack(LORA, [TRAIN]) == (
        "It is out of date: the next run makes it again. “Training” has run before."
    )
    assert lack(LORA, [GATHER]) == "", "it is current"


def test_a_record_whose_jobs_have_not_started_says_how_many_there_are() -> None:
    assert lack(LORA, [TRAIN]) == "There is no record. “Training” has not started yet."
    assert lack(SEARCH, [GATHER, *SEARCHING, TRAIN]) == (
        "There is no record. “Gathering” has not started yet; jobs before it: 5."
    )


def test_a_job_that_did_not_end_well_is_named_with_the_end_of_its_log() -> None:
    begins(SEARCHING[2], "".join(f"epoch {number}\n" for number in range(30)) + "error: full\n")
    said, *log = lack(SEARCH, [GATHER, *SEARCHING]).splitlines()
    assert said.endswith("“Part 2” failed, or was interrupted, unless it is running now.")
    assert log[0] == "logs/Part 2.log:" and log[-1] == "error: full" and len(log) == LINES + 1


def test_of_many_such_jobs_some_logs_are_shown_and_all_are_named() -> None:
    for part in SEARCHING:
        begins(part, "error")
    said, *logs = lack(SEARCH, [GATHER, *SEARCHING]).splitlines()
    assert all(f"“{part.title}”" in said for part in SEARCHING)
    assert logs.count("error") == SHOWN


@pytest.mark.parametrize(
    ("experiment", "text", "why"),
    [("lora", "{", "It cannot be used."), ("alchemy", "", "No claims are about alchemy.")],
)
def test_a_record_that_cannot_be_used_is_missing(experiment: str, text: str, why: str) -> None:
    write(kept.record("lora") | {"experiment": experiment}, Path(LORA))
    if text:
        Path(LORA).write_text(text)
    assert lack(LORA, []).startswith(why)
