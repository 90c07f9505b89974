"""What decides a result, as hashes: the code and the data. Another hash, another result."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from labs.setup.sources import files_of

SCRIPTS = Path(__file__).parents[2]


@cache
def code(module: str) -> str:
    """Return a hash of a module's file and of all that it imports, whichever program runs it."""
    return content(tuple(files_of(Path(module), SCRIPTS)))


@cache
def content(files: Sequence[Path]) -> str:
    """Return a hash of what these files hold."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()
