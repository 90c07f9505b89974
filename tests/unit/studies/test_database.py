"""What is said about a database without reaching one; see also tests/workflow/test_database.py."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from optuna.exceptions import StorageInternalError
from sqlalchemy.exc import OperationalError

from labs.studies.database import VARIABLE, Database
from labs.studies.journal import Journal

URL = "postgresql+psycopg://labs:hidden@host/studies"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("hidden", "is no URL; allowed: postgresql"),
        ("mysql://labs:hidden@host/studies", "begins with mysql; allowed: postgresql"),
    ],
)
def test_another_database_is_refused_by_the_variable(
    url: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, url)
    with pytest.raises(SystemExit, match=f"error: {VARIABLE} {said}") as refused:
        Journal(tmp_path, "random", {})
    assert "hidden" not in str(refused.value)


def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    database = Database(URL, "random")
    with pytest.raises(SystemExit, match="needs the package psycopg"), database.reached():
        database.storage()


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_failure_is_one_line_without_the_password(wrapped: bool) -> None:
    failure = OperationalError("SELECT 1", {}, OSError("refused: hidden is wrong\nIs it running?"))
    with pytest.raises(SystemExit) as ended, Database(URL, "random").reached():
        if wrapped:
            raise StorageInternalError("An exception is raised") from failure
        raise failure
    assert str(ended.value) == (
        f"error: the database host:5432/studies of {VARIABLE} fails: refused: *** is wrong; "
        "mend this, then run the same command again, which goes on"
    )
    assert ended.value.__suppress_context__


def test_the_journal_is_named_without_the_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, URL)
    where = Journal(tmp_path, "random", {}).where
    assert where.startswith("the study random.") and where.endswith("database host:5432/studies")
