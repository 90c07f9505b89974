"""What decides a result beside its settings: code and data, as hashes, and the surroundings."""

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from labs.measure.processor import this_kind
from labs.measure.version import version
from labs.setup.sources import files_of

PACKAGES = ("torch", "transformers")
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


def surroundings(device: str) -> dict[str, Any]:
    """Return what else decides the numbers that a program computes on a device."""
    return {
        "device": device,
        # Sums of floats depend on how many threads add them.
        "threads": torch.get_num_threads(),
        "processor": this_kind(),
        "packages": {name: version(name) for name in PACKAGES},
    }
