"""What a report is written from: values, tables, figures, claims, questions, statements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from labs.records.record import DRAFT
from labs.records.record import NOT_MEASURED as ABSENT
from labs.setup.machines import THIS
from reporting.lab import Lab
from reporting.text import Quantity

CONFIRMED, REFUTED, NO_DIFFERENCE, UNDECIDED, NOT_MEASURED = VERDICTS = (
    "confirmed",
    "refuted",
    "no difference",
    "undecided",
    "not measured",
)
CHECKED = "checked"


@dataclass(frozen=True)
class Question:
    """A question of the labs; `text` quotes the source, `asks` is ours where there is no text.

    `verdict` is the id of the claim that is the verdict on it.
    """

    id: str
    lab: int
    title: str
    source: str
    answer: str
    text: str | None = None
    asks: str | None = None
    verdict: str | None = None

    @property
    def label(self) -> str:
        """The question's number within its lab: `1a` for `lab4-1a`."""
        return self.id.removeprefix(f"lab{self.lab}-").replace("-", " ")


@dataclass(frozen=True)
class Statement:
    """A published statement about a question, measured on other hardware."""

    id: str
    question: str
    label: str
    hardware: str
    device: str
    quote: str
    says: str
    doubt: str | None
    values: tuple[tuple[str, Quantity], ...]


@dataclass(frozen=True)
class Difference:
    """A setting for which a verdict does not contradict a published statement, as it otherwise
    would: the statement's id, what it was made at, and what the claim was measured at.
    """

    statement: str
    setting: str
    there: str
    here: str


@dataclass(frozen=True)
class Claim:
    """A statement that the data could refute, with its verdict on one machine and device."""

    id: str
    question: str
    statement: str
    verdict: str
    reason: str
    estimate: Quantity | None
    device: str
    machine: str
    evidence: str
    contradicts: tuple[Statement, ...]
    other_sizes: tuple[Difference, ...] = ()

    @property
    def anchor(self) -> str:
        """The claim's id in the document; claims of other machines carry the machine's name."""
        name = self.id if self.machine == THIS else f"{self.machine}-{self.id}"
        return "claim-" + name.replace(" ", "-")

    @property
    def experiment(self) -> str:
        """The experiment that it was judged on, in words, by the path of its record."""
        record = PurePath(self.evidence)
        name = record.parent.name if record.stem == self.device else record.stem
        return name.replace("_", " ")

    @property
    def is_decided(self) -> bool:
        """Whether the verdict can contradict what was published."""
        return self.verdict in (CONFIRMED, REFUTED, NO_DIFFERENCE)

    @property
    def has_interval(self) -> bool:
        """Whether the claim was judged by an interval; what was counted has none."""
        return self.estimate is not None and self.estimate.low is not None

    @property
    def mark(self) -> str:
        """What stands beside a sentence that says the claim: its verdict, or that it was checked.

        What was counted or compared exactly, came out as said and contradicts nobody, leaves a
        reader nothing to doubt.
        """
        plain = self.verdict == CONFIRMED and not self.has_interval and not self.contradicts
        return CHECKED if plain else self.verdict


@dataclass(frozen=True)
class Table:
    """The rows of one CSV file."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]


@dataclass(frozen=True)
class Figure:
    """A drawing and its alternative text."""

    name: str
    svg: bytes
    alt: str


@dataclass(frozen=True)
class Evidence:
    """Everything that the templates may use."""

    values: Mapping[str, Quantity]
    tables: Mapping[str, Table]
    figures: Mapping[str, Figure]
    claims: tuple[Claim, ...]
    questions: tuple[Question, ...]
    statements: Mapping[str, Statement]
    lab: Lab
    machine: Mapping[str, str]

    @cached_property
    def missing(self) -> dict[str, list[str]]:
        """The records that a draft lacks: why, and how logs end. A report lacks none."""
        jobs = self.tables["jobs"].rows if "jobs" in self.tables else ()
        status = {row["record"]: row["status"] for row in jobs}
        begins = ABSENT + DRAFT
        return {
            path: said.removeprefix(begins).splitlines()
            for path, said in status.items()
            if said.startswith(begins)
        }

    def lacking(self, question: Question) -> list[str]:
        """Return the missing records that claims on a question would be judged on."""
        claims = [claim for claim in self.own.values() if claim.question == question.id]
        return [path for path in self.missing if path in {claim.evidence for claim in claims}]

    def is_missing(self, name: str) -> bool:
        """Return whether the value with this name would come from a missing record."""
        subject, *rest = name.split(".")
        lost = [claim for claim in self.own.values() if claim.evidence in self.missing]
        named = [(claim.device, claim.id.split(".")) for claim in lost]
        return any(subject == id[0] and (of in rest or of not in id) for of, id in named)

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
        judged = {
            (claim.experiment, claim.device)
            for claim in self.own.values()
            if claim.question == question.id
        }
        rows = self.tables["timing"].rows
        jobs = [row for row in rows if (row["experiment"], row["device"]) in judged]
        return max((int(row["left"]) for row in jobs), default=0)

    def _timed(self, chosen: Callable[[Mapping[str, str]], bool]) -> list[str]:
        rows = self.tables["timing"].rows
        return [f"{row['experiment']} on {row['device']}" for row in rows if chosen(row)]

    @cached_property
    def settings(self) -> dict[str, str]:
        """What this run was measured with, by the name of the record and of the setting."""
        rows = self.tables["settings"].rows
        return {f"{row['record']}.{row['setting']}": row["value"] for row in rows}

    @cached_property
    def own(self) -> dict[str, Claim]:
        """This machine's claims by id."""
        return {claim.id: claim for claim in self.claims if claim.machine == THIS}

    @cached_property
    def recorded(self) -> list[Claim]:
        """The claims of other machines."""
        return [claim for claim in self.claims if claim.machine != THIS]
