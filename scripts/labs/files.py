"""Files: a write is atomic, and one that cannot be read is named.

A reader sees a whole old file or a whole new one, never a part.
"""

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

UNSUPPORTED = {errno.EINVAL, errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EPERM, errno.EACCES}


def write_text(path: Path | str, text: str) -> None:
    """Write `text` as UTF-8 with the line ends it has; see `write_bytes`."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path | str, data: bytes) -> None:
    """Replace the file at `path` by `data` in one step, making its parent folders.

    The bytes go to a temporary file in the same folder (a rename is atomic only within one file
    system) and reach the disk before the rename. On failure the temporary file is removed, the old
    file stays, and the error is raised.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            with if_supported():
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def if_supported() -> Iterator[None]:
    """Do what only makes things safer; go on without it on a file system that has no such thing."""
    try:
        yield
    except OSError as error:
        if error.errno not in UNSUPPORTED:
            raise


@contextmanager
def reading(path: Path | str, *damage: type[Exception]) -> Iterator[None]:
    """Read a file that a job has made; end the program with one line where that fails.

    ``damage`` are the errors of its library, besides OSError.
    """
    expected: tuple[type[Exception], ...] = (OSError, *damage)
    try:
        yield
    except expected as error:
        what = " ".join(str(error).split())[:200]
        raise SystemExit(
            f"error: {path} is damaged ({what}); delete it, and run the same command again"
        ) from error
