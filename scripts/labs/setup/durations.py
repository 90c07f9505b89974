"""The jobs that Snakemake plans, and those that it has seen end well: cores, files, durations."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from labs.setup.dry_run import dry_run
from labs.setup.marks import ended

COMMAND = re.compile(r"Shell command: *\n(.*?)\n *\n", flags=re.DOTALL)
METADATA = Path(".snakemake/metadata")
KEPT = Path("workflow/durations.yaml")
"""Those of one machine, for folders in which nothing has run yet; scripts/keep_durations.py."""


@dataclass
class Job:
    """A job that has run: its cores (None: all of a node's), its files and when it ran, in s."""

    cores: int | None
    inputs: set[str]
    outputs: set[str] = field(default_factory=set)
    began: float = float("inf")
    ended: float = 0.0
    rule: str = ""

    @property
    def seconds(self) -> float:
        return self.ended - self.began


def planned(cores: int, config: Sequence[str]) -> list[str]:
    """Return the commands of all jobs of a run, one a job.

    Raises SystemExit with Snakemake's words when it cannot plan.
    """
    return commands(dry_run("--forceall", "--cores", str(cores), config=config))


def commands(dry_run: str) -> list[str]:
    """Return the commands that a dry run of Snakemake prints, one a job."""
    return [same(command) for command in COMMAND.findall(dry_run)]


def same(command: str) -> str:
    """Return a command without what does not decide its time: spaces, and its code's digest."""
    return re.sub(r"(run_unchanged\.py) \w+", r"\1", " ".join(command.split()))


def recorded(metadata: Path) -> dict[str, Job]:
    """Return the jobs that Snakemake has seen end well, by command.

    Jobs of a cluster are left out: Snakemake keeps that they began just after it saw their end.
    """
    jobs: dict[str, Job] = {}
    for output, kept in ended(metadata):
        if not kept.get("shellcmd") or not kept.get("starttime") or not kept.get("endtime"):
            continue
        command = same(kept["shellcmd"])
        found = Job(cores_of(command), set(kept["input"]), rule=kept.get("rule", ""))
        job = jobs.setdefault(command, found)
        job.outputs.add(output)
        job.began = min(job.began, kept["starttime"])
        job.ended = max(job.ended, kept["endtime"])
    return {command: job for command, job in jobs.items() if job.seconds > 0}


def cores_of(command: str) -> int | None:
    """Return how many cores a command computes with; None: all, as a timing job does."""
    threads = re.search(r"--threads (\w+)", command)
    if threads is None:
        return 1
    return None if "--threads all" in command else int(threads[1])


def of_preset(jobs: Iterable[Job], preset: str) -> list[Job]:
    """Return the jobs of a preset, and those that all presets share."""
    folders = {preset, "data", "build"}
    return [job for job in jobs if {Path(output).parts[1] for output in job.outputs} <= folders]


def by_rule(jobs: Iterable[Job]) -> dict[str, float]:
    """Return how long a job of each rule took on average, in s."""
    seconds = defaultdict(list)
    for job in jobs:
        seconds[job.rule].append(job.seconds)
    return {rule: mean(some) for rule, some in sorted(seconds.items())}


def rate(jobs: Sequence[Job]) -> float:
    """Return how many jobs ran side by side on average, while any did."""
    busy, until = 0.0, 0.0
    for job in sorted(jobs, key=lambda job: job.began):
        busy += max(0.0, job.ended - max(job.began, until))
        until = max(until, job.ended)
    return sum(job.seconds for job in jobs) / busy if busy else 1.0
