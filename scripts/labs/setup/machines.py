"""The records that were brought from other machines: report/machines/<its name>/records/."""

import re
from collections.abc import Iterator
from pathlib import Path

from labs.setup.config import ConfigError

MACHINES = Path("report", "machines")
NAME = re.compile("[ -~\u00a0-\u017fΑ-ΡΣ-Ωα-ωЀ-џ]+")
"""Latin, Greek and Cyrillic: what the report's fonts have."""
THIS = "this machine"
"""What claims.json calls the machine that the report is made on."""


def recorded(folder: Path = MACHINES) -> list[str]:
    """Return the paths of all records in a folder of machines, sorted.

    Raises ConfigError for what is not a machine with its records: nothing is left out in silence.
    """
    machines = sorted(folder.iterdir()) if folder.exists() else []
    return [path.as_posix() for machine in machines for path in _records(machine)]


def _records(machine: Path) -> Iterator[Path]:
    """Yield the records of a machine."""
    if machine.is_symlink() or not machine.is_dir():
        raise _refusal(machine, "is no folder of a machine")
    if machine.name.startswith("."):
        raise _refusal(machine, "has a name that starts with a dot")
    if odd := NAME.sub("", machine.name):
        raise _refusal(machine, f"has {odd[0]!a} in its name, which no font of the report has")
    if machine.name.casefold() == THIS:
        raise _refusal(machine, "has the name of the machine on which the report is made")
    for path in sorted(machine.rglob("*")):
        if path.is_symlink():
            raise _refusal(path, "is a link")
        if path.is_file():
            if path.suffix != ".json" or path.relative_to(machine).parts[0] != "records":
                raise _refusal(path, "is no record in its machine's folder records")
            yield path


def _refusal(path: Path, what: str) -> ConfigError:
    return ConfigError(
        f"{path} {what}; {MACHINES}/<its name>/ holds a copy of another machine's folder records, "
        "and nothing else"
    )
