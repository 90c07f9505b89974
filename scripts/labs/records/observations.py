"""One process's observations, as flat rows."""

import math
from collections.abc import Mapping
from typing import Any

from labs.records.names.timing import DISTURBED, KEPT_DISTURBED, STEADY
from labs.records.rows import KINDS, Case, Comparison, Fact, Operator, Row, Rows, Sample
from labs.records.timing import Timing


class Observations:
    """Rows of samples, facts, checks and profiles; ``case`` holds a row's conditions."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.rows: Rows = {"samples": [], "facts": [], "checks": [], "profiles": []}

    def sample(
        self, quantity: str, arm: str, seconds: list[float], calls: int, **case: Any
    ) -> None:
        """Add raw times in seconds per call, each the mean of ``calls`` calls."""
        about = self._about(arm, case)
        row: Sample = {**about, "quantity": quantity, "calls": calls, "seconds": seconds}
        self.rows["samples"].append(row)

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
        row: Fact = {**self._about(arm, case), "name": name, "value": _finite(value), "unit": unit}
        self.rows["facts"].append(row)

    def check(self, arm: str, reference: str, result: Comparison, **case: Any) -> None:
        """Add the result of comparing an arm's whole output with a reference."""
        about = self._about(arm, case)
        error = _finite(result["error"])
        self.rows["checks"].append({**about, "reference": reference, **result, "error": error})

    def profile(self, arm: str, table: list[Operator], **case: Any) -> None:
        """Add a profiler table."""
        self.rows["profiles"] += [{**self._about(arm, case), **row} for row in table]

    def add(self, rows: Mapping[str, Any]) -> None:
        """Add rows, by kind, that were observed before, as this process's."""
        for kind in KINDS:
            own: list[Any] = self.rows[kind]
            own += [{**row, "process": self.process} for row in rows[kind]]

    def _about(self, arm: str, case: Case) -> Row:
        return {"process": self.process, "arm": arm, "case": case}


def _finite(value: float | str) -> float | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value
