"""What became of a job in earlier runs, as far as files tell, and the last lines of its log."""

from __future__ import annotations

import re
from pathlib import Path

from labs.setup.marks import begun
from reporting.draft.plan import Planned
from reporting.missing import Job

FAILED = "failed"
INTERRUPTED = "was interrupted, unless it is running now"
# The states that say why what comes after did not start.
STOPPED = (FAILED, INTERRUPTED)
AGAIN = "has run before, and has to run again"
NOT_STARTED = "has not started yet"

ERROR = re.compile(r"^Error in rule .*?^    output: ([^\n]*)$", re.MULTILINE | re.DOTALL)
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
LINES = 12
WIDTH = 300
READ = 1 << 16


class History:
    """What Snakemake has kept in its folder of earlier runs."""

    def __init__(self, folder: Path) -> None:
        self.begun = begun(folder)
        self.failed = {
            output
            for log in folder.glob("log/*.log")
            for found in ERROR.finditer(log.read_text(encoding="utf-8", errors="replace"))
            for output in found[1].split(", ")
        }

    def state(self, job: Planned) -> str:
        """Return what became of a job."""
        if job.outputs & self.begun:
            return INTERRUPTED
        if any(not Path(output).exists() for output in job.outputs & self.failed):
            return FAILED
        return AGAIN if Path(job.log).exists() else NOT_STARTED

    def told(self, job: Planned) -> Job:
        """Return a job with its state; of one that stopped, also how its log ends."""
        state = self.state(job)
        stopped = state in STOPPED and Path(job.log).exists()
        return Job(job.title, state, job.log if stopped else "", tail(job.log) if stopped else "")


def tail(path: str) -> str:
    """Return the last lines of a log, in characters that every font has."""
    with Path(path).open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - READ))
        text = file.read().decode("utf-8", errors="replace")
    plain = COLOURS.sub("", text).encode("ascii", "backslashreplace").decode()
    shown = (re.sub(r"[^ -~]", " ", line).rstrip() for line in plain.splitlines())
    lines = [line for line in shown if line][-LINES:]
    return "\n".join(line if len(line) <= WIDTH else f"{line[:WIDTH]} [cut]" for line in lines)
