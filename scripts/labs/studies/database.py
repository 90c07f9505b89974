"""Studies in a PostgreSQL database, for nodes whose file systems do not share locks.

All locks are the server's, which drops them with the connection that held them: as with those of
the kernel, no lock goes stale. Its URL comes from the environment, which no record keeps.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from optuna.exceptions import StorageInternalError
from optuna.storages import RDBStorage
from sqlalchemy import Connection, NullPool, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError

VARIABLE = "LABS_STUDIES_URL"
ALLOWED = "postgresql+psycopg://user:password@host/database"

# The client gives up soon; the server drops the locks of a node that has vanished in a minute.
CONNECTION = {
    "connect_timeout": 10,
    "options": "-c tcp_keepalives_idle=30 -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3",
}


class Database:
    """The study of this name in the database of a URL."""

    def __init__(self, url: str, study: str) -> None:
        try:
            self._url = make_url(url)
        except ArgumentError:
            raise SystemExit(f"error: {VARIABLE} is no URL; allowed: {ALLOWED}") from None
        if self._url.drivername != "postgresql+psycopg":
            raise SystemExit(
                f"error: {VARIABLE} begins with {self._url.drivername}; allowed: {ALLOWED}"
            )
        self._server = f"{self._url.host}:{self._url.port or 5432}/{self._url.database}"
        self.where = f"the study {study} of the database {self._server}"
        self._study = study

    def storage(self) -> RDBStorage:
        """Return what Optuna keeps the study in."""
        # Two programs that find no tables would both make them.
        with self._locked("tables"):
            url = self._url.render_as_string(hide_password=False)
            return RDBStorage(url, engine_kwargs={"connect_args": CONNECTION})

    @contextmanager
    def reached(self) -> Iterator[None]:
        """Raise SystemExit, with one line without the password, when the database fails."""
        try:
            yield
        except ModuleNotFoundError as error:
            raise SystemExit(
                f"error: {VARIABLE} needs the package {error.name}: pip install 'psycopg[binary]'"
            ) from None
        except (DBAPIError, StorageInternalError) as error:
            cause = error.__cause__ if isinstance(error, StorageInternalError) else error
            reason = str(getattr(cause, "orig", cause)).partition("\n")[0]
            if self._url.password:
                reason = reason.replace(str(self._url.password), "***")
            raise SystemExit(
                f"error: the database {self._server} of {VARIABLE} fails: {reason}; "
                "mend this, then run the same command again, which goes on"
            ) from None

    @contextmanager
    def claiming(self) -> Iterator[None]:
        """Hold the right to claim a trial."""
        with self._locked("claim"):
            yield

    @contextmanager
    def alive(self, worker: str) -> Iterator[None]:
        """Hold a worker's lock."""
        with self._locked(worker):
            yield

    def is_alive(self, worker: str) -> bool:
        """Return whether somebody holds a worker's lock."""
        with self._connection() as connection:
            query = text("SELECT pg_try_advisory_lock(:key)")
            return not connection.execute(query, {"key": self._key(worker)}).scalar()

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        """Hold a lock of this name until the connection is closed."""
        with self._connection() as connection:
            query = text("SELECT pg_advisory_lock(:key)")
            connection.execute(query, {"key": self._key(name)})
            yield

    @contextmanager
    def _connection(self) -> Iterator[Connection]:
        engine = create_engine(
            self._url, poolclass=NullPool, connect_args=CONNECTION, isolation_level="AUTOCOMMIT"
        )
        with engine.connect() as connection:
            yield connection

    def _key(self, name: str) -> int:
        """Return the number of a lock; the tables are those of all studies."""
        words = name if name == "tables" else f"{self._study} {name}"
        digest = hashlib.sha256(words.encode()).digest()
        return int.from_bytes(digest[:8], signed=True)
