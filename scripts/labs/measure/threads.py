"""The number of threads: set from a program's arguments, never from the environment."""

from labs.measure import limits

ALL_CORES = "all"
"""One thread on every core that a program may use."""


def usable_cores() -> int:
    """Return how many whole cores this process may use, one at least."""
    return max(1, int(limits.cores().amount))


def thread_count(asked: str) -> int:
    """Return the number of threads for "all" or a whole number, capped by the usable cores.

    Raises SystemExit, with one line, for anything else.
    """
    if asked == ALL_CORES:
        return usable_cores()
    if not asked.isdecimal() or int(asked) < 1:
        raise SystemExit(
            f"error: threads: {asked!r} is neither 'all' nor a whole number of at least 1"
        )
    return min(int(asked), usable_cores())
