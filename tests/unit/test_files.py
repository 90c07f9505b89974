"""Atomic writes leave the old file or the new one, and no temporary file."""

import os
import stat
from pathlib import Path

import pytest

from labs import files


def test_writes_text_and_bytes_and_makes_parents(tmp_path: Path) -> None:
    files.write_text(tmp_path / "a" / "b.txt", "12\u202fµs\n")
    files.write_bytes(tmp_path / "c" / "d.bin", b"\x00\r\n")
    assert (tmp_path / "a" / "b.txt").read_bytes() == "12\u202fµs\n".encode()
    assert (tmp_path / "c" / "d.bin").read_bytes() == b"\x00\r\n"


def test_replaces_whole_content_and_leaves_no_temporary_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    files.write_text(path, "a long first content")
    files.write_text(path, "short")
    assert path.read_text() == "short"
    assert os.listdir(tmp_path) == ["a.txt"]


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


def test_a_directory_in_the_way_is_an_error_and_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").mkdir()
    with pytest.raises(OSError):
        files.write_text(tmp_path / "a.txt", "new")
    assert os.listdir(tmp_path) == ["a.txt"]


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    umask = os.umask(0o022)
    try:
        files.write_text(tmp_path / "a.txt", "x")
    finally:
        os.umask(umask)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o644
