"""A study's journal as a file, which is only appended to, and the locks of those who share it.

All locks are the kernel's, which drops them with whoever held them: no lock goes stale.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.storages.journal._file import BaseJournalFileLock

from labs.studies.disk import writing


class JournalFile:
    """The file of a journal, and those beside it that are locked."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.where = str(path)

    def storage(self) -> JournalStorage:
        """Return what Optuna keeps the study in."""
        with writing(self._path):
            return JournalStorage(_Backend(str(self._path), _Lock(self._path)))

    @contextmanager
    def reached(self) -> Iterator[None]:
        """A file is always there: what may be wrong with it is said where it is written."""
        yield

    @contextmanager
    def claiming(self) -> Iterator[None]:
        """Hold the right to claim a trial."""
        with _lock(self._path.with_suffix(".claim")):
            yield

    @contextmanager
    def alive(self, worker: str) -> Iterator[None]:
        """Hold a worker's lock."""
        path = self._worker(worker)
        try:
            with _lock(path):
                yield
        finally:
            path.unlink(missing_ok=True)

    def is_alive(self, worker: str) -> bool:
        """Return whether somebody holds a worker's lock."""
        path = self._worker(worker)
        if not path.exists():
            return False
        with path.open("ab") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        path.unlink(missing_ok=True)
        return False

    def _worker(self, name: str) -> Path:
        return self._path.with_suffix(f".{name}.worker")


class _Backend(JournalFileBackend):
    """Optuna's file, which says when its disk is full."""

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        with writing(Path(self._file_path)):
            super().append_logs(logs)


class _Lock(BaseJournalFileLock):
    """Optuna's lock around each write; whoever gets it cuts off what a killed writer left."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._file: IO[bytes] | None = None

    def acquire(self) -> bool:
        self._file = _lock(self._journal.with_suffix(".write"))
        cut_torn_line(self._journal)
        return True

    def release(self) -> None:
        assert self._file is not None
        self._file.close()


def cut_torn_line(path: Path) -> None:
    """Cut off the end of a file after its last line break: a write that was not finished."""
    with path.open("r+b") as file:
        # Before every write only the last byte is read: a long journal is seldom torn.
        end = file.seek(0, os.SEEK_END)
        file.seek(max(end - 1, 0))
        if file.read() in (b"", b"\n"):
            return
        file.seek(0)
        file.truncate(file.read().rfind(b"\n") + 1)


def _lock(path: Path) -> IO[bytes]:
    """Return a file that this process alone has locked, until it is closed."""
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file
