"""The path of the folder that the workflow runs in."""

import re
from pathlib import Path

from labs.setup.config import ConfigError

ODD = re.compile(r"[^\w./+=@%!#~^-]")
"""What shells, compilers or lists of paths read as more than a character of a name."""


def check_place(folder: Path) -> None:
    """Raise ConfigError if a job could fail, or run something else, for a folder's path."""
    found = ODD.search(str(folder))
    if found:
        raise ConfigError(
            f"the path of this folder, {str(folder)!r}, has {found[0]!r} in it, with which shells "
            "or compilers fail; move it to a path of letters, digits and . _ - + = @ % ! # ~ ^"
        )
