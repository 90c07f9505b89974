"""The files that Snakemake keeps in its folder about a workflow's outputs, one for each."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path


def marks(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield every output that a folder such as .snakemake/metadata has a file about, and that file.

    Names are encoded; one too long for a file's name is cut into folders, each marked.
    """
    for file in folder.rglob("*"):
        if file.is_file():
            parts = file.relative_to(folder).parts
            name = "".join(part.removeprefix("@") for part in parts)
            yield base64.urlsafe_b64decode(name).decode(), file
