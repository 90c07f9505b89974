"""A quiet start: a job that is timed waits until others leave the cores alone.

Where they do not, it leaves them the cores that they keep busy. Two threads on two cores, one of
which has other work, wait for each other in every sample: what is measured is how the system
shares the core out. One thread on the other core is hardly disturbed.
"""

import math
import sys
import time
from statistics import mean

from labs.measure.disturbance import TICKS, cpu_ticks, has_counters
from labs.measure.threads import ALL_CORES, thread_count

LOOK_SECONDS = 0.5
QUIET = 0.1
"""Others count as quiet while they use no more than this many cores, or than this above those that
are left to them."""
LONGEST_WAIT = 60.0
"""Seconds that a job waits at most, all its processes together."""


class QuietStart:
    """Waits before a job and each of its processes, together at most ``longest`` seconds."""

    def __init__(self, longest: float = LONGEST_WAIT) -> None:
        self.seconds = longest
        self.waited = 0.0
        self.left = 0
        """Cores that are left to others."""

    def threads(self, asked: str) -> int:
        """Wait until others are quiet, or the job has waited enough; return the number of threads.

        It is what ``thread_count`` returns, but where all cores are asked for, those that others
        keep busy are left to them, as far as one remains.
        """
        threads = thread_count(asked)
        if asked != ALL_CORES or not has_counters():
            return threads
        looks = self._looks()
        if looks[-1] > QUIET:
            self.left = min(math.ceil(mean(looks) - QUIET), threads - 1)
            _say(
                f"others keep {mean(looks):.1f} cores busy: "
                f"timing with {threads - self.left} of {threads} threads"
            )
        return threads - self.left

    def wait(self) -> dict[str, float]:
        """Wait until others are quiet, or the job has waited enough.

        Returns the cores that others used last, those that are left to them, and the seconds
        waited since the last process; nothing where the system does not count them.
        """
        if not has_counters():
            return {}
        others = self._looks()[-1]
        waited, self.waited = self.waited, 0.0
        return {"others": others, "left": self.left, "waited": waited}

    def _looks(self) -> list[float]:
        """Look until others are quiet, or no seconds remain; return the cores that each look saw
        others use.
        """
        most, looks = self.left + QUIET, [cores_in_use()]
        if looks[-1] > most and self.seconds > 0:
            _say(f"others use {looks[-1]:.1f} cores: waiting up to {self.seconds:.0f} s for them")
        while looks[-1] > most and self.seconds > 0:
            looks.append(cores_in_use())
            self.seconds -= LOOK_SECONDS
            self.waited += LOOK_SECONDS
        return looks


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


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
