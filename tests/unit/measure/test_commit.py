"""Which commit a record names: the project's own, and whether the code was edited since."""

import subprocess
from pathlib import Path

import pytest

from labs.measure.commit import NONE, commit

AUTHOR = ("-c", "user.name=test", "-c", "user.email=test@localhost")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *AUTHOR, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one committed module."""
    folder = tmp_path / "project"
    (folder / "scripts").mkdir(parents=True)
    (folder / "scripts" / "one.py").write_text("one = 1\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "One")
    return folder


def test_a_checkout_is_clean_until_a_measured_file_is_edited_or_added(project: Path) -> None:
    assert commit(project)["changes"] == "clean"
    (project / "notes.txt").write_text("not measured\n")
    assert commit(project)["changes"] == "clean"
    (project / "scripts" / "one.py").write_text("one = 2\n")
    edited = commit(project)["changes"]
    (project / "scripts" / "two.py").write_text("two = 2\n")
    added = commit(project)["changes"]
    (project / "scripts" / "two.py").write_text("two = 3\n")
    assert len({"clean", edited, added, commit(project)["changes"]}) == 4


def test_a_commit_is_that_of_the_project_not_of_a_repository_around_it(project: Path) -> None:
    inner = project / "scripts" / "labs"
    inner.mkdir()
    assert len(commit(project)["commit"]) == 40
    assert commit(inner) == {"commit": NONE, "changes": NONE}


def test_without_a_repository_or_a_commit_there_is_none(tmp_path: Path) -> None:
    none = {"commit": NONE, "changes": NONE}
    assert commit(tmp_path) == none
    git(tmp_path, "init", "--quiet")
    assert commit(tmp_path) == none
