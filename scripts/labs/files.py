"""Files: a write is atomic, and one that cannot be read is named.

A reader sees a whole old file or a whole new one, never a part.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes files that only their owner reads: give the ones that open() would give.
        temporary.chmod(0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
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


def _umask() -> int:
    # The only way to read the umask is to set it.
    umask = os.umask(0)
    os.umask(umask)
    return umask
