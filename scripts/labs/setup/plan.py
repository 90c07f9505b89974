"""The jobs that Snakemake would run, as its logger plugin hears of them in a dry run."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labs.setup.durations import beside, last_run

SCRIPTS = Path(__file__).parents[2]


@dataclass(frozen=True)
class Job:
    """A job: its rule, its title, its cores, its files, and how it is run.

    ``seconds`` are what the same command took when it last ran here; 0: it has not.
    """

    rule: str
    title: str
    cores: int
    inputs: frozenset[str]
    outputs: frozenset[str]
    log: str
    seconds: float = 0.0


def plan(*options: str, config: Sequence[str] = (), files: Sequence[str] = ()) -> list[Job]:
    """Return the jobs that a run with these options, settings and files of settings would do.

    Ends this program with Snakemake's output where it cannot plan.
    """
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "jobs")
        told.touch()
        snakemake(
            *("--dry-run", "--nolock", "--logger", "labs", "--logger-labs-jobs", str(told)),
            *options,
            *with_settings(config, files),
        )
        jobs = map(json.loads, told.read_text(encoding="utf-8").splitlines())
        # The target has no log.
        return [_job(**job) for job in jobs if job["log"]]


def with_settings(config: Sequence[str], files: Sequence[str]) -> list[str]:
    """Return Snakemake's options for settings, and for files of them."""
    given = {"--config": config, "--configfile": files}
    return [word for option, words in given.items() if words for word in (option, *words)]


def snakemake(*options: str, folder: Path | None = None) -> None:
    """Run Snakemake in a folder, or here; end this program with its output where it fails."""
    # The Snakemake beside this Python, which needs not be activated.
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SystemExit(done.stdout)


def _job(
    rule_name: str,
    rule_msg: str,
    threads: int,
    input: Sequence[str],
    output: Sequence[str],
    log: Sequence[str],
    shellcmd: str,
) -> Job:
    run = last_run(beside(log[0]))
    seconds = run.seconds if run and run.command == _command(shellcmd, log[0]) else 0.0
    return Job(rule_name, rule_msg, threads, frozenset(input), frozenset(output), log[0], seconds)


def _command(shell: str, log: str) -> list[str]:
    """Return the program that a job's shell command runs, after its log and digest."""
    words = shlex.split(shell)
    return words[words.index(log) + 2 : words.index("2>&1")]
