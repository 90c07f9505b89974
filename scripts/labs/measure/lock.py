"""The lock that timing jobs of one clone hold, so that they run one at a time."""

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labs.files import if_supported


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """Hold this clone's timing lock, which excludes its other timing jobs.

    The scheduler already runs timing jobs alone; the lock also excludes a second workflow and the
    orphans of a killed one.  The kernel releases it when its holder ends, however it ends.
    """
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        with if_supported():
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                print(
                    f"waiting for another timing job to end ({lock})", file=sys.stderr, flush=True
                )
                fcntl.flock(file, fcntl.LOCK_EX)
        yield
