"""A disk without room ends a search with one line: nothing is wrong with what it evaluated."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

REMEDIES = {
    errno.ENOSPC: "free space on its disk",
    errno.EDQUOT: "free space, or raise the quota",
    errno.EFBIG: "raise the limit on the size of a file (ulimit -f)",
}


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Raise SystemExit when there is no room for a file in this folder."""
    try:
        yield
    except OSError as error:
        if error.errno not in REMEDIES:
            raise
        raise SystemExit(
            f"error: {folder} cannot be written: {os.strerror(error.errno)}; "
            f"{REMEDIES[error.errno]}, then run the same command again, which goes on"
        ) from error
