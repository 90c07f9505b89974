"""How long jobs took: each leaves a file beside its log when it has ended well."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean

from labs.files import write_text

LOGS = Path("logs")


@dataclass(frozen=True)
class Run:
    """A job that has ended well: its program with the arguments, and when it ran, in s."""

    command: Sequence[str]
    began: float
    ended: float

    @property
    def seconds(self) -> float:
        """How long it took; 0, which is not known, where the clock was set back meanwhile."""
        return max(self.ended - self.began, 0.0)


def duration_file(log: str) -> Path:
    """Return the file that the job with a log leaves."""
    return Path(log).with_suffix(".json")


def write_run(run: Run, log: str) -> None:
    """Write the file of a job."""
    write_text(duration_file(log), json.dumps(asdict(run)) + "\n")


def read_run(file: Path) -> Run | None:
    """Return what a job has left; None where it has left nothing, or half a file."""
    try:
        return Run(**json.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def runs_by_rule(preset: str) -> dict[str, list[Run]]:
    """Return the jobs of a preset that have run here, and those that all presets share, by rule."""
    found = defaultdict(list)
    for folder, files in ((LOGS, "*.json"), (LOGS / preset, "**/*.json")):
        for file in sorted(folder.glob(files)):
            if run := read_run(file):
                found[file.relative_to(folder).parts[0].removesuffix(".json")].append(run)
    return found


def mean_seconds(preset: str) -> dict[str, float]:
    """Return how long a job of each rule took here on average, in s."""
    ran = runs_by_rule(preset)
    return {rule: mean(run.seconds for run in runs) for rule, runs in sorted(ran.items())}


def rate(runs: Iterable[Run]) -> float:
    """Return how many jobs ran side by side on average, while any did."""
    total, busy, until = 0.0, 0.0, 0.0
    for run in sorted(runs, key=lambda run: run.began):
        total += run.seconds
        busy += max(0.0, run.ended - max(run.began, until))
        until = max(until, run.ended)
    return total / busy if busy else 1.0
