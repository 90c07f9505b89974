"""Which commit a record names: the project's own, and whether the code was edited since."""

import os
import subprocess
from pathlib import Path

import pytest

from labs.measure.commit import CLEAN, NONE, commit
from labs.records.record import NOT_REPORTED

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


def test_a_checkout_is_clean_until_what_is_measured_is_changed(project: Path) -> None:
    assert commit(project)["changes"] == "clean"
    (project / "notes.txt").write_text("not measured\n")
    assert commit(project)["changes"] == "clean"
    (project / "scripts" / "one.py").unlink()
    deleted = commit(project)["changes"]
    (project / "scripts" / "one.py").write_text("one = 2\n")
    edited = commit(project)["changes"]
    (project / "scripts" / "two.py").write_text("two = 2\n")
    added = commit(project)["changes"]
    (project / "scripts" / "two.py").write_text("two = 3\n")
    assert len({"clean", deleted, edited, added, commit(project)["changes"]}) == 5


def test_a_commit_is_that_of_the_project_not_of_a_repository_around_it(project: Path) -> None:
    inner = project / "scripts" / "labs"
    inner.mkdir()
    assert len(commit(project)["commit"]) == 40
    assert commit(inner) == {"commit": NONE, "changes": NONE}


def test_without_a_repository_there_is_none(tmp_path: Path) -> None:
    assert commit(tmp_path) == {"commit": NONE, "changes": NONE}


def test_a_repository_that_git_does_not_read_is_not_reported(project: Path) -> None:
    (project / ".git" / "HEAD").write_text("nothing\n")
    assert commit(project) == {"commit": NOT_REPORTED, "changes": NOT_REPORTED}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.excludesFile", "every"),
        ("core.autocrlf", "true"),
        ("core.worktree", "/"),
        ("diff.noprefix", "true"),
    ],
)
@pytest.mark.parametrize("edited", [False, True])
def test_a_configuration_of_git_decides_nothing(
    project: Path, tmp_path: Path, name: str, value: str, edited: bool
) -> None:
    if edited:
        (project / "scripts" / "one.py").write_text("one = 2\n" * 30)
        (project / "scripts" / "two.py").write_text("two = 2\n")
    before = commit(project)
    (tmp_path / "every").write_text("*\n")
    git(project, "config", name, str(tmp_path / "every") if value == "every" else value)
    assert commit(project) == before
    assert (before["changes"] == CLEAN) is not edited


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_DIR", "{other}/.git"),
        ("GIT_INDEX_FILE", "/nowhere"),
        ("GIT_CONFIG_GLOBAL", "{other}/hostile"),
    ],
)
def test_variables_of_git_decide_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    git(other, "commit", "--quiet", "--allow-empty", "--message", "Other")
    (other / "hostile").write_text("[core]\n\texcludesFile = /dev/stdin\n\tbare = true\n")
    (project / "scripts" / "two.py").write_text("two = 2\n")
    before = commit(project)
    monkeypatch.setenv(name, value.format(other=other))
    assert commit(project) == before


def test_a_file_that_git_was_told_to_trust_is_looked_at(project: Path) -> None:
    git(project, "update-index", "--assume-unchanged", "scripts/one.py")
    (project / "scripts" / "one.py").write_text("one = 2\n")
    assert commit(project)["changes"] != CLEAN


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another owner")
def test_a_clone_of_another_owner_is_read(project: Path) -> None:
    before = commit(project)
    for path in (project, *project.rglob("*")):
        os.chown(path, 12345, 12345)
    assert commit(project) == before
