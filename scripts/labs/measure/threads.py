"""The number of threads: set from a program's arguments, never from the environment."""

import os

ALL_CORES = "all"
"""One thread on every core that a program may use."""


def usable_cores() -> int:
    """Return how many cores this process may run on (its affinity, not the machine's count)."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_count(asked: str) -> int:
    """Return the number of threads for "all" or a whole number, capped by the usable cores.

    Raises ValueError for anything else.
    """
    if asked == ALL_CORES:
        return usable_cores()
    if not asked.isdecimal() or int(asked) < 1:
        raise ValueError(f"threads: {asked!r} is neither 'all' nor a whole number of at least 1")
    return min(int(asked), usable_cores())
