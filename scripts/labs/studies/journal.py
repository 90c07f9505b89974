"""A study's journal: its identity, its trials, and the workers that share it."""

from __future__ import annotations

import hashlib
import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Literal

import optuna

from labs.studies import database
from labs.studies.journal_file import JournalFile

IDENTITY = "identity"

Direction = Literal["maximize", "minimize"]
MAXIMIZE: Direction = "maximize"
MINIMIZE: Direction = "minimize"


class Journal:
    """The journal of one study in a folder, named for the study and for its identity.

    The identity is everything that decides the trials, the directions included: one for each value
    of a trial. The same study with another identity has another journal, and the old one stays as
    it is. If the environment names a database, the journal is there (see database.py).
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
        url = os.environ.get(database.VARIABLE)
        self._place = database.Database(url, self.path.stem) if url else JournalFile(self.path)
        self._name = self.path.stem if url else study

    @property
    def where(self) -> str:
        """The journal in words, for those who want to delete it."""
        return self._place.where

    def open(self) -> optuna.Study:
        """Return the study, as far as it is.

        Raises SystemExit when the file is the journal of another study.
        """
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        with self.claiming():
            try:
                study = optuna.create_study(
                    storage=self._place.storage(),
                    study_name=self._name,
                    directions=self._directions,
                    load_if_exists=True,
                )
            except (ValueError, KeyError, TypeError) as error:
                raise SystemExit(
                    f"error: {self.where} is no journal of a study: {error}"
                ) from error
            if IDENTITY not in study.user_attrs and not study.get_trials(deepcopy=False):
                study.set_user_attr(IDENTITY, self._identity)
        if study.user_attrs.get(IDENTITY) != self._identity:
            raise SystemExit(
                f"error: {self.where} is the journal of another study: its space, sizes, data, "
                "seed or code differ; move it away"
            )
        return study

    def reached(self) -> AbstractContextManager[None]:
        """Return a context in which a database that fails ends the program with one line."""
        return self._place.reached()

    def claiming(self) -> AbstractContextManager[None]:
        """Return a context that holds the right to claim a trial: one worker has it at a time."""
        return self._place.claiming()

    @contextmanager
    def worker(self) -> Iterator[str]:
        """Be a worker, under a name that is known to be dead as soon as this process is."""
        name = uuid.uuid4().hex
        with self._place.alive(name):
            yield name

    def is_alive(self, worker: str) -> bool:
        """Return whether a worker still runs."""
        return self._place.is_alive(worker)
