"""Searches that are killed, shared, torn, locked and changed: fresh processes, as jobs are."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from labs.records.names.studies import GRID, NSGA2, RANDOM, TPE
from tests.study_program import CELLS, EITHER, SPACE, journal
from tests.workflow.checkout import SMOKE, Checkout

ROOT = Path(__file__).parents[2]
PATIENCE = 25
"""Seconds that a study may take; Optuna's own locks are broken only after 30."""


def start(
    folder: Path, sampler: str, *more: object, largest_file: int = resource.RLIM_INFINITY
) -> subprocess.Popen[str]:
    """A study that runs in a process of its own, which writes files of so many bytes at most."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.study_program", str(folder), sampler, *map(str, more)],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(map(str, [ROOT / "scripts", ROOT, *sys.path]))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file)),
    )


def finish(process: subprocess.Popen[str]) -> Any:
    """The trials of a study that ends well."""
    try:
        said, complaint = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 0, complaint
    return json.loads(said)


def begin(folder: Path, sampler: str, *more: object) -> subprocess.Popen[str]:
    """A study that runs, and has become a worker."""
    before = set(folder.glob("*.worker"))
    process = start(folder, sampler, *more)
    while not set(folder.glob("*.worker")) - before and process.poll() is None:
        time.sleep(0.002)
    return process


def kill(process: subprocess.Popen[str]) -> bool:
    """Whether a process was still there to be killed."""
    process.kill()
    process.communicate()
    return process.returncode == -signal.SIGKILL


@pytest.mark.parametrize(("sampler", "directions"), [(GRID, 1), (TPE, 1), (NSGA2, 2)])
def test_ten_kills_at_random_moments_change_no_trial(
    sampler: str, directions: int, tmp_path: Path
) -> None:
    whole = finish(start(tmp_path / "whole", sampler, "--directions", directions))
    moments = random.Random(sampler)
    killed = 0
    for _ in range(10):
        process = begin(tmp_path / "killed", sampler, "--directions", directions, "--seconds", 0.05)
        time.sleep(moments.uniform(0.0, 0.09))
        killed += kill(process)
    assert killed == 10, "it ended before it was killed"
    again = finish(start(tmp_path / "killed", sampler, "--directions", directions))
    assert len(again) == CELLS
    assert again == whole


def test_two_workers_run_exactly_as_many_trials_as_were_asked_for(tmp_path: Path) -> None:
    processes = [start(tmp_path, GRID, "--seconds", 0.1) for _ in range(2)]
    first, second = map(finish, processes)
    assert first == second
    trials = journal(tmp_path, GRID).open().get_trials()
    assert Counter(trial.state.name for trial in trials) == {"COMPLETE": CELLS}
    assert len({str(trial.params) for trial in trials}) == CELLS
    assert len({trial.user_attrs["worker"] for trial in trials}) == 2, "one did it all"


def test_a_torn_journal_goes_on(tmp_path: Path) -> None:
    whole = finish(start(tmp_path / "whole", RANDOM))
    finish(start(tmp_path / "torn", RANDOM, "--wanted", 9))
    path = journal(tmp_path / "torn", RANDOM).path
    path.write_bytes(path.read_bytes()[:-7])
    assert finish(start(tmp_path / "torn", RANDOM)) == whole
    for line in path.read_text().splitlines():
        json.loads(line)


def test_the_locks_of_a_dead_worker_hold_nobody_up(tmp_path: Path) -> None:
    whole = finish(start(tmp_path / "whole", RANDOM))
    process = begin(tmp_path / "dead", RANDOM, "--seconds", 600)
    held = journal(tmp_path / "dead", RANDOM)
    end = time.monotonic() + PATIENCE
    while not any("worker" in trial.user_attrs for trial in held.open().get_trials()):
        assert time.monotonic() < end, "it claims no trial"
        time.sleep(0.01)
    assert kill(process)
    left = {path.suffix for path in (tmp_path / "dead").iterdir()}
    assert left >= {".claim", ".write", ".worker"}
    assert finish(start(tmp_path / "dead", RANDOM)) == whole
    assert not list((tmp_path / "dead").glob("*.worker"))


@pytest.mark.parametrize("kind", ["symlink", "file"])
def test_the_locks_that_optuna_leaves_hold_nobody_up(kind: str, tmp_path: Path) -> None:
    path = journal(tmp_path, RANDOM).path
    lock = path.with_name(f"{path.name}.lock")
    if kind == "symlink":
        lock.symlink_to(path)
    else:
        lock.touch()
    assert len(finish(start(tmp_path, RANDOM, "--wanted", 3))) == 3


def test_a_changed_space_has_another_journal_and_leaves_the_old_one(tmp_path: Path) -> None:
    whole = finish(start(tmp_path, RANDOM))
    (old,) = tmp_path.glob("*.journal")
    before = old.read_bytes()
    changed = {**SPACE, "value": EITHER}
    other = finish(start(tmp_path, RANDOM, "--space", json.dumps(changed)))
    assert all(set(parameters) == set(changed) for parameters, _ in other)
    assert len(list(tmp_path.glob("*.journal"))) == 2
    assert old.read_bytes() == before
    assert finish(start(tmp_path, RANDOM)) == whole


@pytest.mark.parametrize("largest_file", [100, 9000])
def test_a_journal_that_finds_no_room_is_named_and_goes_on(
    largest_file: int, tmp_path: Path
) -> None:
    whole = finish(start(tmp_path / "whole", RANDOM))
    path = journal(tmp_path / "full", RANDOM).path
    process = start(tmp_path / "full", RANDOM, largest_file=largest_file)
    complaint = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 1 and "Traceback" not in complaint
    assert complaint.splitlines()[-1] == (
        f"error: {path} cannot be written: File too large; raise the limit on the size of a file "
        "(ulimit -f), then run the same command again, which goes on"
    )
    assert path.stat().st_size == largest_file
    assert finish(start(tmp_path / "full", RANDOM)) == whole


@pytest.mark.parametrize(("workers", "shares"), [(1, 0), (3, 3)])
def test_workers_are_jobs_of_the_workflow(workers: int, shares: int, fresh: Checkout) -> None:
    settings = fresh.temporary / "workers.yaml"
    settings.write_text(f"presets: {{smoke: {{search: {{workers: {workers}}}}}}}\n")
    record = "results/smoke/parts/search/0.json"
    planned = fresh.planned(record, "--configfile", str(settings))
    assert planned["search_architectures"] == 1
    assert planned.get("share_search", 0) == shares


def test_no_workers_are_refused_with_one_line(fresh: Checkout) -> None:
    settings = fresh.temporary / "none.yaml"
    settings.write_text("presets: {smoke: {search: {workers: 0}}}\n")
    done = fresh.run("snakemake", "-n", "--configfile", str(settings), *SMOKE)
    assert done.returncode == 1
    assert "presets.smoke.search.workers is 0; allowed: a whole number from 1" in done.stdout
    assert "Traceback" not in done.stdout
