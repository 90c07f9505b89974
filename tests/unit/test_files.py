"""Atomic writes leave the old file or the new one, and no temporary file."""

import errno
import fcntl
import os
import stat
from pathlib import Path

import pytest

from labs import files
from labs.measure.lock import alone


def test_replaces_whole_content_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b.txt"
    files.write_bytes(path, b"a long first content\x00\r\n")
    assert path.read_bytes() == b"a long first content\x00\r\n"
    files.write_text(path, "12\u202fµs\n")
    assert path.read_bytes() == "12\u202fµs\n".encode()
    assert os.listdir(path.parent) == ["b.txt"]


def test_failure_keeps_the_old_file_and_removes_the_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        files.write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_file_system_that_refuses_chmod_and_fsync_holds_the_file_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    for module, name in ((os, "fsync"), (os, "chmod"), (fcntl, "flock")):
        monkeypatch.setattr(module, name, refuse)
    with alone(tmp_path / "timing.lock"):
        files.write_text(tmp_path / "a.txt", "new")
    assert (tmp_path / "a.txt").read_text() == "new"


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        files.write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o644
