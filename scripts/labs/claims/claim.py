"""A claim: a statement about one device that data could refute, with its verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import nan
from pathlib import PurePath
from typing import Any, Literal, NamedTuple, get_args

from labs.claims.conditions import Conditions
from labs.records.quantity import Quantity
from labs.setup.machines import THIS

Verdict = Literal["confirmed", "refuted", "no difference", "undecided", "not measured"]
CONFIRMED, REFUTED, NO_DIFFERENCE, UNDECIDED, NOT_MEASURED = VERDICTS = get_args(Verdict)


class Difference(NamedTuple):
    """A setting for which a verdict does not contradict a published statement, as it otherwise
    would: the statement's id, what it was made at, and what the claim was measured at.
    """

    statement: str
    setting: str
    there: str
    here: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A statement about one device of one machine with its verdict.

    ``estimate`` is what it was judged on; ``reason`` says why it was not measured, or not decided.
    ``contradicts`` names the published statements that its verdict speaks against, and
    ``other_sizes`` those that it would contradict if they had not been made at other settings, with
    these; ``conditions`` are its own. ``evidence`` is the path of its record.
    """

    id: str
    question: str
    statement: str
    verdict: Verdict
    reason: str = ""
    estimate: Quantity | None = None
    device: str
    conditions: Conditions = field(default_factory=dict)
    machine: str = THIS
    evidence: str = ""
    contradicts: tuple[str, ...] = ()
    other_sizes: Mapping[str, Conditions] = field(default_factory=dict)

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
        return self.estimate is not None and self.estimate.bounds is not None

    @property
    def differences(self) -> list[Difference]:
        """The settings at which statements were published that it would contradict at its own."""
        return [
            Difference(name, setting, _in_words(value), _in_words(self.conditions[setting]))
            for name, there in self.other_sizes.items()
            for setting, value in there.items()
        ]

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> "Claim":
        """Return the claim of an object of claims.json."""
        if row["verdict"] not in VERDICTS:
            raise ValueError(f"verdict {row['verdict']!r} is not one of {', '.join(VERDICTS)}")
        named = {name: row[name] for name in cls.__dataclass_fields__}
        if row["estimate"] is not None:
            low, high = row["interval"] or (nan, nan)
            named["estimate"] = Quantity(row["estimate"], low, high, unit=row["unit"])
        return cls(**named | {"contradicts": tuple(row["contradicts"])})

    def as_row(self) -> dict[str, Any]:
        """Return the claim as an object of claims.json."""
        found = self.estimate
        return {
            **vars(self),
            "estimate": found.value if found else None,
            "interval": found.bounds if found else None,
            "unit": found.unit if found else "",
        }


def _in_words(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
