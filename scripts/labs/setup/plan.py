"""The jobs that Snakemake would run, as its logger plugin hears of them in a dry run."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labs.setup.durations import duration_file, read_run

SCRIPTS = Path(__file__).parents[2]


@dataclass(frozen=True)
class Job:
    """A job: its rule, its title, its cores, its files and its log.

    ``seconds`` are what the same command took when it last ran here; 0: it has not.
    """

    rule: str
    title: str
    cores: int
    inputs: frozenset[str]
    outputs: frozenset[str]
    log: str
    seconds: float = 0.0


def plan(*options: str) -> list[Job]:
    """Return the jobs that a run of Snakemake with these options would do.

    Ends this program with Snakemake's output where it cannot plan.
    """
    with tempfile.NamedTemporaryFile() as told:
        hearing = ("--logger", "labs", "--logger-labs-jobs", told.name)
        snakemake("--dry-run", "--nolock", *hearing, *options)
        jobs = map(json.loads, told.read().splitlines())
        # The target has no log.
        return [job_of(job) for job in jobs if job["log"]]


def snakemake(*options: str, folder: Path | None = None) -> None:
    """Run Snakemake in a folder, or here, to plan or to render.

    Says what it has set aside. Ends this program with its output where it fails.
    """
    # The Snakemake beside this Python, which needs not be activated.
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS), "LABS_NO_MEASURING": "yes"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        errors="replace",
    )
    if done.returncode:
        raise SystemExit(done.stdout)
    for line in done.stdout.splitlines():
        if " is not as it was " in line:
            print(line, file=sys.stderr)


def job_of(told: Mapping[str, Any]) -> Job:
    """Return a job as the plugin has kept it."""
    (log,), words = told["log"], shlex.split(told["shellcmd"])
    # The program with its arguments, after its log, digest and modules.
    command = words[words.index(log) + 3 : words.index("2>&1")]
    run = read_run(duration_file(log))
    seconds = run.seconds if run and run.command == command else 0.0
    files = frozenset(told["input"]), frozenset(told["output"])
    return Job(told["rule_name"], told["rule_msg"], told["threads"], *files, log, seconds)
