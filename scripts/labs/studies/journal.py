"""A study's journal: one file that is only appended to, and the locks of those who share it.

All locks are the kernel's, which drops them with whoever held them: no lock goes stale.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

import optuna
from optuna.storages.journal import JournalFileBackend
from optuna.storages.journal._file import BaseJournalFileLock

from labs.studies.disk import writing

IDENTITY = "identity"

Direction = Literal["maximize", "minimize"]
MAXIMIZE: Direction = "maximize"
MINIMIZE: Direction = "minimize"


class Journal:
    """The journal of one study in a folder, named for the study and for its identity.

    The identity is everything that decides the trials, the directions included: one for each value
    of a trial. The same study with another identity has another journal, and the old one stays as
    it is.
    """

    def __init__(
        self,
        folder: Path,
        study: str,
        identity: Mapping[str, Any],
        directions: Sequence[Direction] = (MAXIMIZE,),
    ) -> None:
        self.study_name, self._directions = study, directions
        text = json.dumps({**identity, "directions": directions}, sort_keys=True)
        # As the journal gives it back: a tuple comes back as a list.
        self._identity = json.loads(text)
        digest = hashlib.sha256(text.encode()).hexdigest()
        self.path = folder / f"{study}.{digest[:16]}.journal"

    def open(self) -> optuna.Study:
        """Return the study, as far as it is.

        Raises SystemExit when the file is the journal of another study.
        """
        with writing(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with self.claiming():
            try:
                backend = _Backend(str(self.path), _Lock(self.path))
                study = optuna.create_study(
                    storage=optuna.storages.JournalStorage(backend),
                    study_name=self.study_name,
                    directions=self._directions,
                    load_if_exists=True,
                )
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(f"error: {self.path} is no journal of a study: {error}") from error
            if IDENTITY not in study.user_attrs and not study.get_trials(deepcopy=False):
                study.set_user_attr(IDENTITY, self._identity)
        if study.user_attrs.get(IDENTITY) != self._identity:
            raise SystemExit(
                f"error: {self.path} is the journal of another study: its space, sizes, data, seed "
                "or code differ; move it away"
            )
        return study

    @contextmanager
    def claiming(self) -> Iterator[None]:
        """Hold the right to claim a trial, which one worker has at a time."""
        with _locked(self.path.with_suffix(".claim")):
            yield

    @contextmanager
    def worker(self) -> Iterator[str]:
        """Be a worker, under a name that is known to be dead as soon as this process is."""
        name = uuid.uuid4().hex
        path = self._worker(name)
        try:
            with _locked(path):
                yield name
        finally:
            path.unlink(missing_ok=True)

    def is_alive(self, worker: str) -> bool:
        """Return whether a worker still runs."""
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
        return self.path.with_suffix(f".{name}.worker")


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


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with _lock(path):
        yield


def _lock(path: Path) -> IO[bytes]:
    """Return a file that this process alone has locked, until it is closed."""
    with writing(path):
        file = path.open("ab")
    fcntl.flock(file, fcntl.LOCK_EX)
    return file
