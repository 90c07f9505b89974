"""A smoke run that is killed ten times: pytest -s tests/workflow/slow_kills.py, half an hour."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

from labs.setup.marks import marks
from tests.workflow.checkout import Checkout, Finished, checkout
from tests.workflow.test_interruptions import REPORT, wait_until

KILLS = 10
AT_MOST = 1800.0
"""Seconds until the next kill: what is left of a run takes less."""
PAUSE = 8.0
"""A kill comes up to this many seconds after a job has ended: in the middle of a later one."""


def ended(copy: Checkout) -> frozenset[str]:
    """The outputs of the jobs that have ended."""
    kept = copy.folder / ".snakemake"
    finished, unfinished = (
        {output for output, _ in marks(kept / name)} for name in ("metadata", "incomplete")
    )
    return frozenset(name for name in finished - unfinished if (copy.folder / name).is_file())


def killed(copy: Checkout, after: int, pause: float) -> None:
    """Start a run, and kill all of it once this many outputs are there."""
    run = copy.start(copy.folder.parent / "killed.log", *REPORT)
    wait_until(lambda: len(ended(copy)) >= after or run.poll() is not None, AT_MOST)
    time.sleep(pause)
    assert run.poll() is None, "the run ended before it was killed"
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()


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
    everything = len(ended(finished_run))
    before: dict[str, bytes] = {}
    for after in sorted(rng.sample(range(everything - 5), KILLS)):
        killed(copy, after, rng.uniform(0, PAUSE))
        now = {path: (copy.folder / path).read_bytes() for path in ended(copy)}
        assert {path: now.get(path) for path in before} == before
        print(f"killed after {len(now)} of {everything} outputs")
        before = now

    done = copy.run(*REPORT)

    assert done.returncode == 0, done.stdout[-3000:]
    assert {path: (copy.folder / path).read_bytes() for path in before} == before
    assert answers(copy) == answers(finished_run)
    assert "Nothing to be done" in copy.run(*REPORT).stdout
