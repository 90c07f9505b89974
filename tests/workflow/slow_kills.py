"""A smoke run that is killed ten times: pytest -s tests/workflow/slow_kills.py, half an hour."""

import base64
import json
import os
import random
import signal
import time
from itertools import pairwise
from pathlib import Path

from tests.checkout import REPORT, Checkout, Finished, checkout, wait_until

KILLS = 10
AT_MOST = 1800.0
"""Seconds until the next kill: what is left of a run takes less."""
PAUSE = 5.0
"""A kill comes up to this many seconds after a job has ended: in the middle of a later one."""
LAST = 2
"""Jobs that are still to come when the last kill comes, so that there is a run to kill."""


def begun(copy: Checkout) -> set[str]:
    """The outputs of the jobs that have begun and not ended, as Snakemake marks them."""
    marks = (copy.folder / ".snakemake" / "incomplete").glob("*")
    return {base64.urlsafe_b64decode(mark.name).decode() for mark in marks}


def ended(copy: Checkout) -> list[list[str]]:
    """The commands of the jobs that have ended."""
    left = sorted((copy.folder / "logs").rglob("*.json"))
    return [json.loads(file.read_text())["command"] for file in left]


def finished(copy: Checkout) -> frozenset[str]:
    """The outputs of the jobs that have ended."""
    commands = (pairwise(command) for command in ended(copy))
    outputs = {path for words in commands for flag, path in words if flag == "--output"}
    return frozenset(name for name in outputs - begun(copy) if (copy.folder / name).is_file())


def jobs_of(copy: Checkout) -> int:
    """How many jobs have ended."""
    return len(ended(copy))


def killed(copy: Checkout, after: int, pause: float) -> None:
    """Start a run, and kill all of it once so many jobs have ended."""
    said = copy.folder.parent / "killed.log"
    run = copy.start(said, *REPORT)
    wait_until(lambda: jobs_of(copy) >= after or run.poll() is not None, said, AT_MOST)
    time.sleep(pause)
    assert run.poll() is None, "the run ended before it was killed"
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    amid = sorted(begun(copy))[:3]
    print(f"killed after {jobs_of(copy)} jobs, amid", ", ".join(amid), flush=True)


def answers(copy: Checkout) -> dict[str, list[str]]:
    """What the models of each record answered, which no kill may change."""
    return {
        path.name: [
            json.dumps([fact["process"], fact["arm"], fact["case"], fact["value"]], sort_keys=True)
            for fact in json.loads(path.read_text())["facts"]
            if fact["name"] == "correct"
        ]
        for path in (copy.folder / "results/smoke/records").glob("*.json")
    }


def test_a_run_killed_ten_times_loses_nothing_and_ends_as_one_that_was_not(
    finished_run: Finished, tmp_path: Path
) -> None:
    rng = random.Random()
    copy = checkout(tmp_path)
    tenth = (jobs_of(finished_run) - LAST) / KILLS
    before: dict[str, bytes] = {}
    for kill in range(KILLS):
        after = int((kill + rng.random()) * tenth)
        killed(copy, after, rng.uniform(0, PAUSE))
        now = {path: (copy.folder / path).read_bytes() for path in finished(copy)}
        assert {path: now.get(path) for path in before} == before
        before = now

    done = copy.run(*REPORT)

    assert done.returncode == 0, done.stdout[-3000:]
    assert {path: (copy.folder / path).read_bytes() for path in before} == before
    assert answers(copy) == answers(finished_run)
    assert "Nothing to be done" in copy.run(*REPORT).stdout
