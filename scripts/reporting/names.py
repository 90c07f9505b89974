"""The names through which templates access the evidence."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from markupsafe import Markup

from reporting import ReportError, marks, prose
from reporting.cells import Cells, table_cells
from reporting.drawing import inline
from reporting.evidence import (
    CONFIRMED,
    NO_DIFFERENCE,
    NOT_MEASURED,
    REFUTED,
    UNDECIDED,
    Claim,
    Evidence,
    Question,
)
from reporting.findings import Finding
from reporting.prose import Start, joined
from reporting.text import Quantity

T = TypeVar("T")

NONE_THAT_MATTERS = "There is no difference that matters."


class Names:
    """Functions for templates, which may call every public method; none of them changes anything.

    Names of values and claims are given in parts, to be joined by dots: `value(start, "speedup")`.
    An unknown name raises `ReportError`, as does in a draft the name of what it lacks.
    """

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence

    def value(self, *name: str | Start) -> Quantity:
        """Return a quantity of values.csv."""
        return _known("value", self._evidence.values, joined(*name))

    def has(self, *name: str | Start) -> bool:
        """Return whether values.csv has the name."""
        if self._evidence.is_missing(joined(*name)):
            raise ReportError(f"whether there is a value {joined(*name)!r} is not known")
        return joined(*name) in self._evidence.values

    def setting(self, *name: str | Start) -> str:
        """Return a setting that a record was measured with: `search.max-length`, by the record's
        name and the setting's, `fusion.cpu.shape` where devices have records of their own.
        """
        return _known("setting", self._evidence.settings, joined(*name))

    def claim(self, *name: str | Start) -> Claim:
        """Return this machine's claim with this id."""
        return _known("claim", self._evidence.own, joined(*name))

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
        sentences are filled, so that a wrong name in any of them is found. It is marked for
        `marks.Text`.
        """
        if claim.verdict == NOT_MEASURED:
            return marks.sentence(claim.id, _not_measured(claim))
        sentences = {
            CONFIRMED: confirmed,
            REFUTED: refuted,
            NO_DIFFERENCE: same or (refuted and f"{refuted} {NONE_THAT_MATTERS}"),
            UNDECIDED: undecided,
        }
        filled = {verdict: self.fill(words, at) for verdict, words in sentences.items()}
        return marks.sentence(claim.id, filled[claim.verdict] or claim.statement)

    def drawing(self, name: str) -> Markup:
        """Return a figure's `<svg>`."""
        figure = _known("figure", self._evidence.figures, name)
        return inline(name, figure.svg, figure.alt)

    def table_cells(
        self, name: str, columns: Sequence[str | Sequence[str]], where: Mapping[str, str]
    ) -> Cells:
        """Return the cells of tables/<name>.csv, as `cells.table_cells` explains."""
        return table_cells(_known("table", self._evidence.tables, name), columns, where)


def finding(evidence: Evidence, question: Question, answer: marks.Text) -> Finding | None:
    """Return the verdict on a question, with what the answer says of it."""
    if question.verdict is None:
        return None
    claim = _known("claim", evidence.own, question.verdict)
    if claim.verdict == NOT_MEASURED:
        return Finding(question, claim, _not_measured(claim))
    sentence = _known("sentence in an answer on", answer.sentences, claim.id)
    return Finding(question, claim, sentence)


def _not_measured(claim: Claim) -> Markup:
    reason = claim.reason.removeprefix(f"{NOT_MEASURED}:").strip().rstrip(".")
    return Markup("Not measured on {}: {}.").format(claim.device, reason)


def _known(kind: str, known: Mapping[str, T], name: str) -> T:
    if name not in known:
        raise ReportError(f"there is no {kind} {name!r}")
    return known[name]
