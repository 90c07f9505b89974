"""How long a run of Snakemake will still take, from what it prints and how long its rules take."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

ROW = re.compile(r"(\w+) +(\d+)")
STARTED = re.compile(r"Job (\d+): ")
FINISHED = re.compile(r"Finished jobid: (\d+) \(Rule: (\w+)\)")
STEPS = re.compile(r"\d+ of \d+ steps")

TARGET = "all"
"""A rule that runs nothing."""

TRUSTED_SECONDS = 300.0
"""For so long the known rate counts as much as that of this run."""


@dataclass
class Progress:
    """A run, as far as it has been read: its jobs that are left, and when those that run began.

    ``known`` are the seconds of a job of each rule, ``rate`` how many of them passed in a second
    of a whole run, which runs jobs side by side.
    """

    known: Mapping[str, float]
    rate: float
    began: float
    left: Counter[str] = field(default_factory=Counter)
    running: dict[str, float] = field(default_factory=dict)
    finished: float = 0.0
    _in_table: bool = False

    def read(self, line: str, now: float) -> str:
        """Return what is to be said after a line that was printed at ``now``, in s; maybe nothing.

        Something is said after the table of jobs, and whenever one has ended.
        """
        if line.startswith("Job stats:"):
            self._in_table = True
        elif self._in_table and line.startswith("total"):
            self._in_table = False
            return self.words(now)
        elif self._in_table and (row := ROW.match(line)):
            self.left[row[1]] = int(row[2]) * (row[1] != TARGET)
        elif started := STARTED.match(line):
            self.running[started[1]] = now
        elif ended := FINISHED.match(line):
            self.running.pop(ended[1], None)
            self.left[ended[2]] -= 1
            self.finished += self.known.get(ended[2], 0.0)
        elif STEPS.match(line):
            return self.words(now)
        return ""

    def words(self, now: float) -> str:
        """Return how long the jobs that are left will take; nothing where one is not known."""
        left = +self.left
        if not left or not left.keys() <= self.known.keys():
            return ""
        # Which rule a job is of is seen when it ends.
        longest = max(self.known[rule] for rule in left)
        begun = sum(min(now - since, longest) for since in self.running.values())
        work = sum(self.known[rule] * number for rule, number in left.items()) - begun
        done = self.finished + begun
        rate = (done + self.rate * TRUSTED_SECONDS) / (now - self.began + TRUSTED_SECONDS)
        return f"About {minutes(max(work, 0.0) / rate)} left."


def minutes(seconds: float) -> str:
    """Return a duration in whole minutes, or in hours and minutes."""
    whole = max(round(seconds / 60), 1)
    if whole < 60:
        return "a minute" if whole == 1 else f"{whole} minutes"
    return f"{whole // 60} h {whole % 60} min"
