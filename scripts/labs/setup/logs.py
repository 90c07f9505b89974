"""How the logs of jobs end."""

import re
from pathlib import Path

COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
WIDTH = 300


def last_lines(log: Path, number: int) -> list[str]:
    """Return the last lines of a log that say something, in characters that every font has."""
    text = log.read_text(encoding="utf-8", errors="replace")
    plain = COLOURS.sub("", text).encode("ascii", "backslashreplace").decode()
    shown = (re.sub(r"[^ -~]", " ", line).rstrip() for line in plain.splitlines())
    lines = [line for line in shown if line][-number:]
    return [line if len(line) <= WIDTH else f"{line[:WIDTH]} [cut]" for line in lines]
