"""What a draft of the report lacks: records, why, and what would come from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from reporting import ReportError


@dataclass(frozen=True)
class Job:
    """A job that a missing record waits for, what became of it, and the last lines of its log."""

    title: str
    state: str
    log: str
    tail: str


@dataclass(frozen=True)
class Missing:
    """A record that a draft lacks, and the names of what a report takes from it.

    ``subjects`` are the first parts of the names of its values and claims; ``device`` is None where
    the experiment has one record, whatever the devices.
    """

    path: str
    why: str
    jobs: Sequence[Job]
    device: str | None
    questions: Sequence[str]
    subjects: Sequence[str]
    tables: Sequence[str]
    figures: Sequence[str]

    def says(self, name: str) -> bool:
        """Return whether the value or the claim with this name would come from the record."""
        subject, *rest = name.split(".")
        return subject in self.subjects and (self.device is None or self.device in rest)

    def sets(self, name: str) -> bool:
        """Return whether the setting with this name would come from the record."""
        record = name.rpartition(".")[0]
        return (
            PurePath(self.path).with_suffix("").as_posix().endswith("/" + record.replace(".", "/"))
        )

    def fills(self, table: str, device: str | None) -> bool:
        """Return whether rows of a table, of all devices or of one, would come from the record."""
        return table in self.tables and (device is None or self.device in (None, device))

    def draws(self, figure: str) -> bool:
        """Return whether a figure would be drawn from the record."""
        return figure in self.figures


@dataclass(frozen=True)
class Draft:
    """That a report is a draft: when it was made, of how many records, and what it lacks."""

    made: str
    records: int
    missing: Sequence[Missing]


class Lacking(ReportError):
    """An answer needs what a draft lacks; ``missing`` are the records."""

    def __init__(self, missing: Sequence[Missing]) -> None:
        super().__init__(f"this needs {', '.join(record.path for record in missing)}")
        self.missing = missing
