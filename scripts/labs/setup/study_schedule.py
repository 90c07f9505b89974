"""When a study of many trials would end: its workers share it, or its trials are jobs.

The journals of studies keep, of each trial, the seconds that it took and those of claiming it,
which one worker does at a time.
"""

from __future__ import annotations

import heapq
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from labs.setup.durations import Job


@dataclass(frozen=True)
class Trials:
    """What each trial takes, and what claiming it takes, in their order, in s."""

    seconds: Sequence[float]
    claiming: Sequence[float]


def in_journals(journals: Sequence[Path], long: Path, number: int) -> Trials:
    """Return so many trials, each with the seconds of one, drawn at random, of those in journals.

    Those that took no time, as their evaluation was kept, are left out. What claiming takes grows
    with the trials before: a parabola through what it took in a long study. Raises SystemExit for
    journals without trials.
    """
    found = [s for path in journals for s in _kept(path, "seconds") if s > 0.1]
    asked = _kept(long, "asking")
    if not found or not asked:
        raise SystemExit("error: no trial of these journals has been evaluated; name others")
    curve = np.polyfit(np.arange(len(asked)), asked, 2)
    claiming = np.maximum(0, np.polyval(curve, np.arange(number)))
    return Trials(random.Random(0).choices(found, k=number), claiming.tolist())


def shared(trials: Trials, workers: int) -> float:
    """Return when the last of so many workers ends, in s after all have started."""
    free, unlocked = [0.0] * workers, 0.0
    for seconds, claiming in zip(trials.seconds, trials.claiming, strict=True):
        unlocked = max(heapq.heappop(free), unlocked) + claiming
        heapq.heappush(free, unlocked + seconds)
    return max(free)


def grouped(trials: Trials, size: int, rule: str = "") -> list[Job]:
    """Return jobs that run so many trials each, one after the other."""
    seconds = trials.seconds
    firsts = range(0, len(seconds), size)
    return [Job(1, set(), {str(k)}, 0.0, sum(seconds[k : k + size]), rule) for k in firsts]


def _kept(journal: Path, name: str) -> list[float]:
    """Return what a journal keeps of its trials under this name."""
    lines = journal.read_text(encoding="utf-8").splitlines()
    kept = (json.loads(line).get("user_attr") or {} for line in lines)
    return [attributes[name] for attributes in kept if name in attributes]
