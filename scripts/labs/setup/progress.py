"""How long a run of Snakemake will still take, from its events and how long its rules take."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from labs.setup.durations import mean_seconds

KEPT = Path("workflow/durations.yaml")
"""Durations of one machine, for folders in which nothing has run yet; scripts/keep_durations.py."""

TARGET = "all"
"""A rule that runs nothing."""

TRUSTED_SECONDS = 300.0
"""For so long the known rate counts as much as that of this run."""


@dataclass
class Progress:
    """A run, as far as it has been heard of: the jobs that are left, and when those that run began.

    ``known`` are the seconds of a job of each rule, ``rate`` how many of them passed in a second
    of a whole run, which runs jobs side by side. Of ``running`` jobs it has the rule and the time.
    """

    known: Mapping[str, float]
    rate: float
    began: float
    left: Counter[str] = field(default_factory=Counter)
    running: dict[int, tuple[str, float]] = field(default_factory=dict)
    finished: float = 0.0

    @classmethod
    def of_preset(cls, preset: str) -> Progress:
        """Return the progress of a run of a preset that begins now."""
        kept = yaml.safe_load(KEPT.read_text(encoding="utf-8"))["presets"].get(preset, {})
        known = {**kept.get("seconds", {}), **mean_seconds(preset)}
        return cls(known, kept.get("rate", 1.0), time.time())

    def hear(self, event: str | None, told: Mapping[str, Any], now: float) -> str:
        """Return what is to be said after an event of ``now``, in s; maybe nothing.

        Something is said when the jobs are known, and whenever one has ended: at first also that a
        rule's duration is not known.
        """
        match event:
            case "run_info":
                self.left = Counter({**told["stats"], "total": 0, TARGET: 0})
                if unknown := (+self.left).keys() - self.known.keys():
                    return (
                        "How long this takes is not known. "
                        f"Rules that have not run here: {len(unknown)}."
                    )
                return self.words(now)
            case "job_info":
                self.running[told["jobid"]] = (told["rule_name"], now)
            case "job_error":
                self.running.pop(told["jobid"], None)
            case "job_finished":
                rule, _ = self.running.pop(told["job_id"], (TARGET, now))
                self.left[rule] -= 1
                self.finished += self.known.get(rule, 0.0)
            case "progress":
                return self.words(now)
        return ""

    def words(self, now: float) -> str:
        """Return how long the jobs that are left will take; nothing where one is not known."""
        left = +self.left
        if not left or not left.keys() <= self.known.keys():
            return ""
        begun = sum(
            min(now - since, self.known.get(rule, 0.0)) for rule, since in self.running.values()
        )
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
