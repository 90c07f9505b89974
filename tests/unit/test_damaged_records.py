"""What is no record is named in one line."""

from pathlib import Path

import pytest

from labs.records.reading import RecordError, read


def test_what_is_no_file_or_no_record_is_named(tmp_path: Path) -> None:
    for name, make in {
        "folder": Path.mkdir,
        "deep": lambda path: path.write_text("[" * 100_000),
        "bytes": lambda path: path.write_bytes(b"\xff\xfe\x00"),
        "empty": Path.touch,
    }.items():
        path = tmp_path / name
        make(path)
        with pytest.raises(RecordError, match=f"^{path}: "):
            read(path)
    with pytest.raises(RecordError, match="none: cannot be read: No such file"):
        read(tmp_path / "none")
