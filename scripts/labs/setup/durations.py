"""How long jobs took, by rule: those that ran in this folder, as Snakemake has kept it."""

from __future__ import annotations

import base64
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

METADATA = Path(".snakemake/metadata")
KEPT = Path("workflow/durations.yaml")
"""Those of one machine, for folders in which nothing has run yet; scripts/keep_durations.py."""


class Ran(NamedTuple):
    """A job that has ended well: its rule, and when it began and ended, in s."""

    rule: str
    began: float
    ended: float


def jobs(metadata: Path, preset: str) -> list[Ran]:
    """Return the jobs of a preset, and those that all presets share."""
    found: dict[str, Ran] = {}
    for file in metadata.rglob("*"):
        kept = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        if not kept.get("starttime") or not kept.get("endtime"):
            continue
        # A name too long for one folder is cut into several, each marked.
        name = "".join(part.removeprefix("@") for part in file.relative_to(metadata).parts)
        folder = Path(base64.urlsafe_b64decode(name).decode()).parts[1]
        if folder in (preset, "data", "build"):
            job = Ran(kept["rule"], kept["starttime"], kept["endtime"])
            # Of each output there is a file.
            one = found.setdefault(kept["shellcmd"], job)
            found[kept["shellcmd"]] = Ran(
                job.rule, min(one.began, job.began), max(one.ended, job.ended)
            )
    return list(found.values())


def seconds(ran: Iterable[Ran]) -> dict[str, float]:
    """Return how long a job of each rule took on average, in s."""
    by_rule = defaultdict(list)
    for job in ran:
        by_rule[job.rule].append(job.ended - job.began)
    return {rule: mean(durations) for rule, durations in sorted(by_rule.items())}


def rate(ran: Sequence[Ran]) -> float:
    """Return how many jobs ran side by side on average, while any did."""
    busy, until = 0.0, 0.0
    for job in sorted(ran, key=lambda job: job.began):
        busy += max(0.0, job.ended - max(job.began, until))
        until = max(until, job.ended)
    return sum(job.ended - job.began for job in ran) / busy if busy else 1.0
