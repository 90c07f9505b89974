"""One process's observations, as flat rows."""

import math
from dataclasses import dataclass, field
from typing import Any

from labs.records.names.timing import DISTURBED, KEPT_DISTURBED, STEADY
from labs.records.rows import KINDS, Row
from labs.records.timing import Timing


@dataclass
class Observations:
    """Rows of samples, facts, checks and profiles; ``case`` holds a row's conditions."""

    process: int
    samples: list[Row] = field(default_factory=list)
    facts: list[Row] = field(default_factory=list)
    checks: list[Row] = field(default_factory=list)
    profiles: list[Row] = field(default_factory=list)

    def sample(
        self, quantity: str, arm: str, seconds: list[float], calls: int, **case: Any
    ) -> None:
        """Add raw times in seconds per call, each the mean of ``calls`` calls."""
        self.samples.append(
            {"quantity": quantity, "arm": arm, "case": case, "calls": calls, "seconds": seconds}
        )

    def timing(self, arm: str, timing: Timing, **case: Any) -> None:
        """Add an arm's samples of interleaved rounds, and its warm-up if it had one."""
        if timing.warm_up:
            self.sample("warm-up", arm, timing.warm_up, 1, **case)
        self.sample(STEADY, arm, timing.seconds, timing.calls, **case)
        if timing.disturbed:
            self.sample(DISTURBED, arm, timing.disturbed, timing.calls, **case)
        if timing.kept:
            self.fact(KEPT_DISTURBED, timing.kept, "count", arm, **case)
        if timing.device:
            self.sample("steady, device", arm, timing.device, timing.calls, **case)
            self.sample("flushed, device", arm, timing.flushed, 1, **case)
        if timing.throttled:
            self.fact("throttled samples", timing.throttled, "count", arm, **case)

    def fact(self, name: str, value: float | str, unit: str, arm: str, **case: Any) -> None:
        """Add one number (or, with the unit "text", a string) about an arm.

        NaN and infinity, as the loss of a training that diverged, become null: JSON has neither.
        """
        self.facts.append(
            {"name": name, "value": _finite(value), "unit": unit, "arm": arm, "case": case}
        )

    def check(self, arm: str, reference: str, result: Row, **case: Any) -> None:
        """Add the result of comparing an arm's whole output with a reference."""
        error = _finite(result["error"])
        self.checks.append(
            {"arm": arm, "reference": reference, "case": case, **result, "error": error}
        )

    def profile(self, arm: str, table: list[Row], **case: Any) -> None:
        """Add a profiler table."""
        self.profiles += [{"arm": arm, "case": case, **row} for row in table]

    def rows(self) -> dict[str, list[Row]]:
        """Return all rows by kind, each marked with its process."""
        return {
            kind: [{"process": self.process, **row} for row in getattr(self, kind)]
            for kind in KINDS
        }


def _finite(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
