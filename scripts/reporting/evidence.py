"""What a report is written from: values, tables, figures, claims, questions, statements."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from markupsafe import Markup

from labs.claims.claim import NOT_MEASURED, Claim
from labs.claims.statement import NOT_RUN
from labs.records.quantity import Quantity
from labs.records.record import DRAFT
from labs.records.record import NOT_MEASURED as ABSENT
from labs.setup.machines import THIS
from reporting import ReportError
from reporting.drawing import inline
from reporting.lab import Lab
from reporting.prose import Start, joined
from reporting.sentences import absence

T = TypeVar("T")

# What the label of a published report says besides its name.
SOURCE = re.compile(r"^published | \(.*\)$|'s own notebook and sheet$|, .*", re.DOTALL)


@dataclass(frozen=True)
class Question:
    """A question of the labs; `text` quotes the source, `asks` is ours where there is no text.

    `line` asks it in one line; `verdict` is the id of the claim that is the verdict on it, `also`
    that of one more where it asks for two things, and `found` says by verdict what was found, in a
    few words. `expect` is said where that was not measured. The picture on the first pages has what
    is better or worse: claims on anything else are `not_drawn`.
    """

    id: str
    lab: int
    title: str
    source: str
    answer: str
    text: str | None = None
    asks: str | None = None
    line: str = ""
    verdict: str | None = None
    also: str | None = None
    found: Mapping[str, str] = field(default_factory=dict)
    expect: str = ""
    not_drawn: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The question's number within its lab: `1a` for `lab4-1a`."""
        return self.id.removeprefix(f"lab{self.lab}-").replace("-", " ")


@dataclass(frozen=True)
class Statement:
    """A published statement about a question, measured on other hardware.

    `about` says in a few words on what it may differ from a claim.
    """

    id: str
    question: str
    label: str
    hardware: str
    device: str
    quote: str
    says: str
    doubt: str | None
    values: tuple[tuple[str, Quantity], ...]
    about: str

    @property
    def source(self) -> str:
        """Who published it, in short: report A."""
        return SOURCE.sub("", self.label)


@dataclass(frozen=True)
class Table:
    """The rows of one CSV file."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Figure:
    """A drawing and its alternative text."""

    svg: bytes
    alt: str


@dataclass(frozen=True)
class Evidence:
    """Everything that the templates may use; `reports` has the hardware of each published one.

    Names of values, settings and claims are given in parts, to be joined by dots:
    `value(start, "speedup")`. An unknown name raises `ReportError`.
    """

    values: Mapping[str, Quantity]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    claims: tuple[Claim, ...]
    questions: tuple[Question, ...]
    statements: Mapping[str, Statement]
    reports: Mapping[str, str]
    lab: Lab
    machine: Mapping[str, str]

    def value(self, *name: str | Start) -> Quantity:
        """Return a quantity of values.csv."""
        return find("value", self.values, joined(*name))

    def has(self, *name: str | Start) -> bool:
        """Return whether values.csv has the name; unknown where a draft lacks its record."""
        path = joined(*name)
        if path in self.values:
            return True
        lacking = [row["values"].split() for row in self._jobs if row["record"] in self.missing]
        if any(f"{path}.".startswith(f"{prefix}.") for prefixes in lacking for prefix in prefixes):
            raise ReportError(f"whether there is a value {path!r} is not known")
        return False

    def setting(self, *name: str | Start) -> str:
        """Return a setting that a record was measured with: `search.max-length`, by the record's
        name and the setting's, `fusion.cpu.shape` where devices have records of their own.
        """
        return find("setting", self.settings, joined(*name))

    def claim(self, *name: str | Start) -> Claim:
        """Return this machine's claim with this id."""
        return find("claim", self.local, joined(*name))

    def contradicted(self, claim: Claim) -> list[Statement]:
        """Return the published statements that a claim contradicts."""
        return [self.statements[name] for name in claim.contradicts]

    def drawing(self, name: str) -> Markup:
        """Return a figure's `<svg>`."""
        figure = find("figure", self.figures, name)
        return inline(name, figure.svg, figure.alt)

    @cached_property
    def local(self) -> dict[str, Claim]:
        """This machine's claims by id."""
        return {claim.id: claim for claim in self.claims if claim.machine == THIS}

    @cached_property
    def recorded(self) -> list[Claim]:
        """The claims of other machines."""
        return [claim for claim in self.claims if claim.machine != THIS]

    def recorded_under(self, *start: str | Start) -> dict[str, list[Claim]]:
        """Return, by machine, others' claims whose ids begin so, as far as they were measured."""
        found: dict[str, list[Claim]] = {}
        for claim in self.recorded:
            if claim.id.startswith(f"{joined(*start)}.") and claim.verdict != NOT_MEASURED:
                found.setdefault(claim.machine, []).append(claim)
        return found

    @cached_property
    def settings(self) -> dict[str, str]:
        """What this run was measured with, by the name of the record and of the setting."""
        rows = self.tables["settings"].rows
        return {f"{row['record']}.{row['setting']}": row["value"] for row in rows}

    @cached_property
    def _jobs(self) -> Sequence[Mapping[str, str]]:
        return self.tables["jobs"].rows if "jobs" in self.tables else ()

    @cached_property
    def missing(self) -> dict[str, list[str]]:
        """The records that a draft lacks: why, and how logs end. A report lacks none."""
        return {
            row["record"]: row["status"].removeprefix(ABSENT + DRAFT).splitlines()
            for row in self._jobs
            if row["status"].startswith(ABSENT + DRAFT)
        }

    def lacking(self, question: Question) -> list[str]:
        """Return the missing records that claims on a question would be judged on."""
        needed = {claim.evidence for claim in self.local.values() if claim.question == question.id}
        return [path for path in self.missing if path in needed]

    @cached_property
    def disturbed(self) -> list[str]:
        """What was timed while others took the processor during most of the samples that count.

        Where too few samples of an arm are left alone, the disturbed ones count as well.
        """
        return self._timed(
            lambda row: 2 * int(row["disturbed"]) > int(row["samples"]) - int(row["taken_again"])
        )

    @cached_property
    def fewer(self) -> list[str]:
        """What was timed with fewer threads than asked for, since others kept cores busy."""
        return self._timed(lambda row: int(row["left"]) > 0)

    def left(self, question: Question) -> int:
        """Return the most cores that a timing job of a question left to others."""
        claims = [claim for claim in self.local.values() if claim.question == question.id]
        judged = {(claim.experiment, claim.device) for claim in claims}
        rows = self.tables["timing"].rows
        cores = [int(row["left"]) for row in rows if (row["experiment"], row["device"]) in judged]
        return max(cores, default=0)

    @cached_property
    def short_of_processes(self) -> list[str]:
        """What was timed in fewer processes than the wanted precision asks for."""
        return [
            f"{row['experiment']} on {row['device']}, {row['processes']} of {row['needed']}"
            for row in self.tables["timing"].rows
            if int(row["processes"]) < int(row["needed"])
        ]

    @cached_property
    def most_used_by_others(self) -> str:
        """The most cores that others used before a process was timed; nothing where none was."""
        return max((row["others"] for row in self.tables["timing"].rows), key=float, default="")

    @cached_property
    def unmeasured(self) -> dict[str, list[Claim]]:
        """The claims that were not measured, by the reason."""
        found: dict[str, list[Claim]] = {}
        for claim in self.local.values():
            if claim.verdict == NOT_MEASURED:
                reason = absence(claim)
                if reason.startswith(NOT_RUN):
                    reason = f"{NOT_RUN} what they are about"
                found.setdefault(reason, []).append(claim)
        return found

    def _timed(self, chosen: Callable[[Mapping[str, str]], bool]) -> list[str]:
        rows = self.tables["timing"].rows
        return [f"{row['experiment']} on {row['device']}" for row in rows if chosen(row)]


def find(kind: str, items: Mapping[str, T], name: str) -> T:
    """Return the item with this name. Raises `ReportError` if there is none."""
    if name not in items:
        raise ReportError(f"there is no {kind} {name!r}")
    return items[name]
