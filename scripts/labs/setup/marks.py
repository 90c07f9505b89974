"""The files that Snakemake keeps in its folder about a workflow's outputs, one for each."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def marks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every output that a folder such as .snakemake/metadata has a file about, and that file.

    Names are encoded; one too long for a file's name is cut into folders, each marked.
    """
    for file in folder.rglob("*"):
        if file.is_file():
            parts = file.relative_to(folder).parts
            name = "".join(part.removeprefix("@") for part in parts)
            yield base64.urlsafe_b64decode(name).decode(), file


def begun(kept: Path) -> set[str]:
    """Return the outputs of jobs that are running, or were interrupted; kept is .snakemake."""
    return {output for output, _ in marks(kept / "incomplete")}


def ended(metadata: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every output of a job that ended well, and what Snakemake has kept about that job."""
    for output, file in marks(metadata):
        try:
            yield output, json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            # Half a file, as a full disk may leave it, says nothing.
            continue
