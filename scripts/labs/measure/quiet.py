"""A quiet start: a process that is timed waits until others leave the cores alone."""

from __future__ import annotations

import sys
import time

from labs.measure.disturbance import TICKS, counted, cpu_ticks

LOOK_SECONDS = 0.5
QUIET = 0.1
"""Others count as quiet while they use no more than this many cores."""
LONGEST_WAIT = 60.0
"""Seconds that a job waits at most, all its processes together."""


class QuietStart:
    """Waits before each process of a job, together at most ``longest`` seconds."""

    def __init__(self, longest: float = LONGEST_WAIT) -> None:
        self.left = longest

    def wait(self) -> dict[str, float]:
        """Wait until others are quiet, or the job has waited enough.

        Returns the cores that others used last, and the seconds waited; nothing where the system
        does not count them.
        """
        if not counted():
            return {}
        waited, others = 0.0, cores_in_use()
        if others > QUIET and self.left > 0:
            print(
                f"others use {others:.1f} cores: waiting up to {self.left:.0f} s for them",
                file=sys.stderr,
                flush=True,
            )
        while others > QUIET and self.left > 0:
            others = cores_in_use()
            waited, self.left = waited + LOOK_SECONDS, self.left - LOOK_SECONDS
        return {"others": others, "waited": waited}


def cores_in_use() -> float:
    """Look for half a second; return how many cores were in use, of those that this job may use.

    This process sleeps meanwhile, so that what is in use is others'.
    """
    before = _busy()
    time.sleep(LOOK_SECONDS)
    return (_busy() - before) * TICKS / LOOK_SECONDS


def _busy() -> int:
    idle, iowait = 3, 4
    return sum(sum(ticks) - ticks[idle] - ticks[iowait] for ticks in cpu_ticks())
