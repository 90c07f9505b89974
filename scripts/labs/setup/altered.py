"""Results that were altered after a job had written them: damaged, or edited by hand."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

from labs.records.record import digest_of


def quarantine_modified(records: Iterable[Path], sums: Iterable[Path]) -> list[str]:
    """Rename results that are not as they were written; return a line for each.

    A record holds the digest of its content; ``sums`` are files of a rule's outputs, as sha256sum
    writes them. What is not there any more is made again where it is needed, as every target is.
    """
    lines = []
    for path in _altered(records, sums):
        aside = next(name for name in _names(path) if not name.exists())
        # Another run that is planned now may have been faster.
        with suppress(FileNotFoundError):
            path.replace(aside)
            lines.append(
                f"{path} is not as it was made; it is kept as {aside.name}, and made again"
            )
    return lines


def _names(path: Path) -> Iterator[Path]:
    """Yield the names under which what was altered may be kept, once, twice and more often."""
    yield path.with_name(f"{path.name}.altered")
    yield from (path.with_name(f"{path.name}.altered.{number}") for number in count(2))


def _altered(records: Iterable[Path], sums: Iterable[Path]) -> Iterator[Path]:
    yield from (path for path in records if path.exists() and not _is_whole(path))
    for file in sums:
        yield from (path for path, known in _listed(file) if path.exists() and _sum(path) != known)


def _is_whole(path: Path) -> bool:
    """Return whether a record has the digest of its content."""
    try:
        record = json.loads(path.read_bytes())
        return bool(record["digest"] == digest_of(record))
    except (OSError, ValueError, TypeError, LookupError, RecursionError):
        return False


def _listed(file: Path) -> list[tuple[Path, str]]:
    """Return the files that a file of sums lists, with their sums; none while it is written."""
    text = file.read_text(encoding="utf-8", errors="replace")
    lines = (line.partition("  ") for line in text.splitlines() if text.endswith("\n"))
    return [(Path(name), known) for known, _, name in lines if name]


def _sum(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return "none: a folder"
