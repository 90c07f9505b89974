"""What SLURM says of its nodes, and of the jobs that a Snakemake in this folder has submitted.

It is asked by the Snakefile, before a run and while it lasts. Only the standard library is used
here.
"""

import fcntl
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from labs.setup.logs import last_lines

NEVER = {
    "PartitionConfig": "no node of its partition has as many cores; set cores or slurm_partition",
    "PartitionNodeLimit": "its partition has too few nodes; set slurm_partition",
    "PartitionTimeLimit": "its partition allows less time; set runtime or slurm_partition",
    "BadConstraints": "no node is like that; set slurm_partition or constraint",
    "ReqNodeNotAvail": "the nodes that it could run on are down or reserved; set slurm_partition",
}
"""Reasons for which a job may wait for ever, and which key of the profile to set."""

FAILED = ("BOOT_FAIL", "CANCELLED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT")

SUBMITTED = re.compile(r"(?:.*_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The names of jobs that Snakemake submits: its run's UUID."""

_LOCKS: list[TextIO] = []
"""Held until this process ends."""

LOOK_SECONDS, PATIENCE_SECONDS = 15, 60
LAST_LINES = 5

OWN_WORDS = re.compile(r"^(?:slurmstepd|srun)[^:\s]*: .*", re.M)
"""What SLURM itself adds to a job's output, as when it kills a job for its memory."""


@dataclass(frozen=True)
class Job:
    """A job of the queue: its number, its run's name, its rule, its state, and why it waits."""

    number: str
    run: str
    rule: str
    state: str
    reason: str


def cores_of_nodes() -> int:
    """Return the cores that every node of the default partition has; 1 where SLURM is silent."""
    found = [
        int(cores)
        for partition, cores in map(str.split, _ask("sinfo", "-h", "-N", "-o", "%P %c"))
        if partition.endswith("*")
    ]
    return min(found, default=1)


def jobs(folder: Path, states: Sequence[str] = ("PENDING", "RUNNING")) -> list[Job]:
    """Return the jobs in these states that a Snakemake in this folder has submitted, oldest first.

    SLURM forgets jobs some minutes after their end.
    """
    columns = ("%i", "%j", "%k", "%T", "%r", "%Z")
    lines = _ask("squeue", "--me", "-h", "-t", ",".join(states), "-o", "\t".join(columns))
    found = []
    for line in lines:
        *about, where = line.split("\t")
        job = Job(*about)
        if SUBMITTED.fullmatch(job.run) and Path(where) == folder:
            found.append(job)
    return sorted(found, key=lambda job: int(job.number.split("_")[0]))


def cancel_left(folder: Path) -> None:
    """Cancel the jobs that a killed run has left; call it before a run submits any.

    They would write the same files as those of the new run. While another run of this folder lives,
    as one of another preset may, nothing is cancelled: the jobs may be its own.
    """
    if not is_only_run(folder):
        return
    left = [job for job in jobs(folder) if job.number != os.environ.get("SLURM_JOB_ID")]
    if not left:
        return
    listed = ", ".join(f"{job.rule} (job {job.number})" for job in left)
    _say(f"cancels {len(left)} jobs of an earlier run that was killed: {listed}")
    numbers = {job.number for job in left}
    _ask("scancel", *numbers)
    until = time.monotonic() + PATIENCE_SECONDS
    while numbers & {job.number for job in jobs(folder, ("RUNNING", "COMPLETING"))}:
        if time.monotonic() > until:
            _say("still waits for these jobs to end")
            until += PATIENCE_SECONDS
        time.sleep(1)


def watch(folder: Path) -> None:
    """Look at the queue from now on; cancel jobs that can never start, and say which key to set."""
    threading.Thread(target=_watch, args=(folder,), daemon=True).start()


def explain(folder: Path, logs: Path) -> None:
    """Say of each failed job of the last run what SLURM calls it, and how its log ends.

    ``logs`` is the folder of the preset's logs.
    """
    ended = jobs(folder, ("COMPLETED", *FAILED))
    for job in ended:
        if job.run == ended[-1].run and job.state in FAILED:
            _say(f"calls {job.rule} (job {job.number}) {job.state}, reason: {job.reason}")
            lines = _own_words(job)
            for log in logs_of(job.rule, logs):
                lines += [f"{log}:", *(f"  {line}" for line in last_lines(log, LAST_LINES))]
            print(*(f"  {line}" for line in lines), sep="\n", file=sys.stderr)


def logs_of(rule: str, logs: Path) -> list[Path]:
    """Return the log of a job, if there is one, by SLURM's comment: its rule and its wildcards."""
    wanted = _words(rule.removeprefix("rule_").replace("_wildcards_", "_", 1))
    files = sorted([*logs.rglob("*.log"), *logs.parent.glob("*.log")])
    return [
        file
        for file in files
        if _words(os.path.relpath(file.with_suffix(""), logs)).strip("_") == wanted
    ]


def _words(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _own_words(job: Job) -> list[str]:
    """Return what SLURM has added to a job's output, in the file that it names."""
    told = "\n".join(_ask("scontrol", "show", "job", job.number))
    files = map(Path, re.findall(r"^ *StdOut=(.+)$", told, re.M))
    texts = [file.read_text(errors="replace") for file in files if file.is_file()]
    return [line for text in texts for line in OWN_WORDS.findall(text)[-LAST_LINES:]]


def is_only_run(folder: Path) -> bool:
    """Return whether no other process that has asked this of the folder lives.

    The kernel gives the lock back when this process ends, however it does.
    """
    lock = folder / ".snakemake" / "slurm.lock"
    lock.parent.mkdir(exist_ok=True)
    file = lock.open("w")
    _LOCKS.append(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_only = True
    except OSError:
        is_only = False
    # Every run that lives has its share.
    fcntl.flock(file, fcntl.LOCK_SH)
    return is_only


def _watch(folder: Path) -> None:
    seen: set[str] = set()
    while True:
        time.sleep(LOOK_SECONDS)
        stuck = {
            job.number: f"{job.rule} ({job.reason}): {advice} in the profile"
            for job in jobs(folder, ("PENDING",))
            for reason, advice in NEVER.items()
            if job.reason.startswith(reason)
        }
        # Once may be a moment of the scheduler's.
        for number in seen & stuck.keys():
            _say(f"can never start {stuck[number]}; it is cancelled")
            _ask("scancel", number)
        seen = set(stuck)


def _say(words: str) -> None:
    print(f"SLURM: {words}", file=sys.stderr, flush=True)


def _ask(*command: str) -> list[str]:
    """Return the lines that a command of SLURM prints; none if it fails or is not there."""
    try:
        done = subprocess.run(
            command, capture_output=True, errors="replace", timeout=60, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()
