"""The names through which templates access the evidence."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from markupsafe import Markup, escape

from reporting import ReportError, prose
from reporting.cells import Cells, table_cells
from reporting.drawing import inline
from reporting.evidence import (
    CONFIRMED,
    NO_DIFFERENCE,
    NOT_MEASURED,
    REFUTED,
    UNDECIDED,
    Claim,
    Difference,
    Evidence,
    Question,
    Statement,
)
from reporting.findings import Finding
from reporting.prose import Start, joined
from reporting.text import Quantity

T = TypeVar("T")


class Elsewhere(NamedTuple):
    """A published statement, the claims that contradict it, and what differs where others would."""

    statement: Statement
    claims: Sequence[Claim]
    differences: Sequence[Difference]


NONE_THAT_MATTERS = "There is no difference that matters."


class Names:
    """Functions for templates: they may call every public method.

    Names of values and claims are given in parts, to be joined by dots: `value(start, "speedup")`.
    An unknown name raises `ReportError`, as does in a draft the name of what it lacks.
    """

    # Of the answer that is being rendered: its question, and by the ids of published statements the
    # claims of it that contradict them, and what differs where claims would at the same sizes.
    question: Question | None
    against: dict[str, list[Claim]]
    differ: dict[str, list[Difference]]

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.begin(None)
        # The sentences that answers have first said of claims, by the claims' ids.
        self.said: dict[str, Markup] = {}

    def value(self, *name: str | Start) -> Quantity:
        """Return a quantity of values.csv."""
        return _known("value", self.evidence.values, joined(*name))

    def has(self, *name: str | Start) -> bool:
        """Return whether values.csv has the name."""
        if self.evidence.is_missing(joined(*name)):
            raise ReportError(f"whether there is a value {joined(*name)!r} is not known")
        return joined(*name) in self.evidence.values

    def setting(self, *name: str | Start) -> str:
        """Return a setting that a record was measured with: `search.max-length`, by the record's
        name and the setting's, `fusion.cpu.shape` where devices have records of their own.
        """
        return _known("setting", self.evidence.settings, joined(*name))

    def claim(self, *name: str | Start) -> Claim:
        """Return this machine's claim with this id."""
        return _known("claim", self.evidence.own, joined(*name))

    def recorded(self, name: str) -> list[Claim]:
        """Return the claims with this id from other machines."""
        return [claim for claim in self.evidence.recorded if claim.id == name]

    def contradicted(self, claim: Claim) -> Sequence[Statement]:
        """Return the published statements that a claim's verdict contradicts, and note that."""
        if claim.verdict not in (CONFIRMED, REFUTED, NO_DIFFERENCE):
            return ()
        for statement in claim.contradicts:
            claims = self.against.setdefault(statement.id, [])
            if claim not in claims:
                claims.append(claim)
        for other in claim.other_sizes:
            found = self.differ.setdefault(other.statement.id, [])
            found += [one for one in other.differences if one not in found]
        return claim.contradicts

    def elsewhere(self, question: Question) -> list[Elsewhere]:
        """Return the published statements about a question that come with numbers, and those that
        its answer contradicts, or would at the same sizes.
        """
        held = self.against | self.differ
        return [
            Elsewhere(found, self.against.get(found.id, []), self.differ.get(found.id, []))
            for found in self.evidence.statements.values()
            if found.id in held or (found.question == question.id and found.values)
        ]

    def begin(self, question: Question | None) -> None:
        """Begin an answer, which has contradicted nobody yet, or what answers no question."""
        self.question, self.against, self.differ = question, {}, {}

    def published_anchor(self, statement: Statement, question: Question | None = None) -> str:
        """Return the id of a statement's row below the answer to a question, or to this one."""
        question = question or self.question
        return f"published-{question.id}-{statement.id}" if question else ""

    def fill(self, sentence: str, at: str | Start = "") -> Markup:
        """Return a sentence as HTML, with its placeholders filled as `prose.Start` explains."""
        return prose.fill(sentence, at, self.value)

    def sentence(
        self,
        claim: Claim,
        at: str | Start = "",
        *,
        confirmed: str = "",
        refuted: str = "",
        same: str = "",
        undecided: str = "",
    ) -> Markup:
        """Return the sentence for the claim's verdict, or its statement if there is none.

        Where no difference matters, and no sentence is for that, it is the one for a refuted claim
        with a second one that says so: what is ahead by too little to matter is not ahead. All
        sentences are filled, so that a wrong name in any of them is found.
        """
        if claim.verdict == NOT_MEASURED:
            reason = claim.reason.removeprefix(f"{NOT_MEASURED}:").strip().rstrip(".")
            said = Markup("Not measured on {}: {}.").format(claim.device, reason)
            self.said.setdefault(claim.id, said)
            return said
        sentences = {
            CONFIRMED: confirmed,
            REFUTED: refuted,
            NO_DIFFERENCE: same or (refuted and f"{refuted} {NONE_THAT_MATTERS}"),
            UNDECIDED: undecided,
        }
        filled = {verdict: self.fill(words, at) for verdict, words in sentences.items()}
        said = filled[claim.verdict] or escape(claim.statement)
        self.said.setdefault(claim.id, said)
        return said

    def finding(self, question: Question) -> Finding | None:
        """Return the verdict on a question, with what the answer said of it."""
        if question.verdict is None:
            return None
        claim = self.claim(question.verdict)
        if claim.verdict == NOT_MEASURED:
            self.sentence(claim)
        return Finding(question, claim, _known("sentence in an answer on", self.said, claim.id))

    def drawing(self, name: str) -> Markup:
        """Return a figure's `<svg>`."""
        figure = _known("figure", self.evidence.figures, name)
        return inline(name, figure.svg, figure.alt)

    def table_cells(
        self, name: str, columns: Sequence[str | Sequence[str]], where: Mapping[str, str]
    ) -> Cells:
        """Return the cells of tables/<name>.csv, as `cells.table_cells` explains."""
        return table_cells(_known("table", self.evidence.tables, name), columns, where)


def _known(kind: str, known: Mapping[str, T], name: str) -> T:
    if name not in known:
        raise ReportError(f"there is no {kind} {name!r}")
    return known[name]
