"""The folders that the workflow runs in, and the times of files in them."""

import os
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from labs.setup.config import ConfigError

ODD = re.compile(r"[^\w./+=@%!#~^-]")
"""What shells, compilers or lists of paths read as more than a character of a name."""


SKEW_SECONDS = 60.0
"""By how much the clock of a file server may be ahead."""


def validate_folder(folder: Path, what: str = "this folder", remedy: str = "move it to") -> None:
    """Raise ConfigError if a job could fail, or run something else, for where a folder is."""
    found = ODD.search(str(folder))
    if found:
        raise ConfigError(
            f"the path of {what}, {str(folder)!r}, has {found[0]!r} in it, with which shells or "
            f"compilers fail; {remedy} a path of letters, digits and . _ - + = @ % ! # ~ ^"
        )
    if folder.exists() and os.statvfs(folder).f_flag & os.ST_NOEXEC:
        raise ConfigError(
            f"{what}, {folder}, is on a file system that is mounted noexec, where nothing that is "
            f"compiled can run; {remedy} a folder on another"
        )


def check_clock(places: Sequence[str]) -> None:
    """Raise ConfigError if a file is of the future: Snakemake fails every job that reads it."""
    now = time.time()
    for path in _files(places):
        # Another run may have deleted it.
        with suppress(FileNotFoundError):
            if (changed := path.lstat().st_mtime) > now + SKEW_SECONDS:
                raise ConfigError(
                    f"{path} was changed at {time.ctime(changed)}, and it is {time.ctime(now)}: "
                    f"set the clock, or run: find {' '.join(places)} -newermt now "
                    f"-exec touch --date @{now:.0f} {{}} +"
                )


def _files(places: Sequence[str]) -> Iterator[Path]:
    for place in places:
        if os.path.isfile(place):
            yield Path(place)
        for folder, _, names in os.walk(place):
            yield from (Path(folder, name) for name in names)
