"""Whether others took the processor while a sample was taken.

The kernel counts how long threads ran, and how long they were ready to run and waited for a core
(``/proc/self/task/*/schedstat``), and what a hypervisor gave to other machines (steal, in
``/proc/stat``). The rule looks at these counters alone, never at the time that was measured.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from labs.records.names.timing import MOST_LOST

TASKS, CPUS = Path("/proc/self/task"), Path("/proc/stat")
NANOSECONDS, TICKS = 1e-9, 1 / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Counters:
    """What this process used and lost so far, in seconds of processor time.

    ``stolen`` is taken from all cores that the process may use, whoever would have run there.
    """

    ran: float
    waited: float
    stolen: float

    def disturbed_since(self, start: Counters) -> bool:
        """Return whether too much was lost between an earlier reading and this one."""
        lost = self.waited - start.waited + self.stolen - start.stolen
        return lost > MOST_LOST * (self.ran - start.ran)


def counters() -> Counters:
    """Return what all threads of this process used and lost; zeros where nothing is counted."""
    if not has_counters():
        return Counters(0, 0, 0)
    ran = waited = 0
    for task in os.listdir(TASKS):
        try:
            words = (TASKS / task / "schedstat").read_text().split()
        except OSError:
            # The thread has just ended.
            continue
        ran, waited = ran + int(words[0]), waited + int(words[1])
    stolen = sum(ticks[7] for ticks in cpu_ticks())
    return Counters(ran * NANOSECONDS, waited * NANOSECONDS, stolen * TICKS)


def has_counters() -> bool:
    """Return whether this system counts what is lost: Linux does."""
    return (TASKS / str(os.getpid()) / "schedstat").exists()


def cpu_ticks() -> list[list[int]]:
    """Return the counters of each core that this process may use.

    In ticks since the start of the machine: user, nice, system, idle, iowait, irq, softirq, steal.
    """
    usable = {f"cpu{number}" for number in os.sched_getaffinity(0)}
    lines = (line.split() for line in CPUS.read_text().splitlines())
    return [[int(word) for word in words[1:9]] for words in lines if words and words[0] in usable]
