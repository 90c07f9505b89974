"""The jobs that the next run would do, from what a dry run of Snakemake prints."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from labs.setup.dry_run import dry_run

JOB = re.compile(
    r"^Job \d+: (?P<title>[^\n]*)\n"
    r"Reason: (?P<reason>.*?)\n"
    r"Shell command: *\n(?P<command>.*?)\n *\n",
    re.MULTILINE | re.DOTALL,
)
PROGRAM = re.compile(r"scripts/(?!run_unchanged)\w+\.py")
# In a reason.
MADE = "Missing output files: "
AWAITED = "Input files updated by another job: "
# These jobs are in every plan, because it forces them: their commands name all that a report needs.
REPORTING = ("judge_claims", "make_tables", "draw_figures", "render_html", "render_pdf")


@dataclass(frozen=True)
class Planned:
    """A job: its title, the words of its command, what it makes, and what it waits for."""

    title: str
    words: Sequence[str]
    outputs: frozenset[str]
    awaits: frozenset[str]

    @property
    def program(self) -> str:
        """The path of the program that the job runs."""
        return next(word for word in self.words if PROGRAM.fullmatch(word))

    @property
    def log(self) -> str:
        """The path of the job's log."""
        return self.words[-1]

    @property
    def flags(self) -> dict[str, list[str]]:
        """The words that the command gives after each flag."""
        found: dict[str, list[str]] = {}
        for word in self.words[: self.words.index("2>&1")]:
            if word.startswith("--"):
                found[word] = []
            elif found:
                found[next(reversed(found))].append(word)
        return found


class Plan:
    """The jobs of the next run."""

    def __init__(self, dry_run: str) -> None:
        self.jobs = [_planned(found) for found in JOB.finditer(dry_run)]

    def running(self, program: str) -> Planned:
        """Return the job of a program that one job runs."""
        return next(job for job in self.jobs if job.program == f"scripts/{program}.py")

    def maker(self, path: str) -> Planned | None:
        """Return the job that makes a file, or None if no job has to."""
        return next((job for job in self.jobs if path in job.outputs), None)

    def behind(self, job: Planned) -> list[Planned]:
        """Return the jobs that a job waits for, directly or not, without itself."""
        found: list[Planned] = []
        waiting = [job]
        while waiting:
            makers = {self.maker(path) for path in sorted(waiting.pop().awaits)} - {None, job}
            fresh = [made for made in self.jobs if made in makers and made not in found]
            found += fresh
            waiting += fresh
        return found


def next_run(config: Sequence[str], files: Sequence[str]) -> Plan:
    """Return the plan of the next run with these settings.

    Ends this program with Snakemake's output where it cannot plan.
    """
    forced = ("--rerun-incomplete", "--cores", "1", "--forcerun", *REPORTING)
    return Plan(dry_run(*forced, config=config, files=files))


def _planned(found: re.Match[str]) -> Planned:
    words = shlex.split(found["command"])
    parts = found["reason"].split("; ")
    named = (path for flag, path in pairwise(words) if flag in ("--output", "--output-dir"))
    outputs = _paths(parts, MADE).union(named)
    return Planned(found["title"], tuple(words), outputs, _paths(parts, AWAITED))


def _paths(parts: Sequence[str], start: str) -> frozenset[str]:
    return frozenset(
        path
        for part in parts
        if part.startswith(start)
        for path in part.removeprefix(start).split(", ")
    )
