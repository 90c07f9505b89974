"""What is shipped: the config, and the modules of the programs."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from labs.setup.config import read

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "scripts"
CONFIG = ROOT / "config.yaml"
SHIPPED: dict[str, Any] = json.loads(json.dumps(read(CONFIG)))
"""The shipped settings, each preset whole and with values of its own."""


def leaves(config: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The keys of a config that have no keys of their own, dotted, and their values."""
    for name, value in config.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def modules_with(line: str, folder: str) -> set[str]:
    """The names of the modules in a folder of scripts of which a line begins so."""
    return {
        ".".join(path.relative_to(SCRIPTS).with_suffix("").parts)
        for path in (SCRIPTS / folder).rglob("*.py")
        if f"\n{line}" in path.read_text()
    }
