"""The report as one self-contained HTML file: templates filled from the evidence.

Templates see only the names that `Report` gives them. Numbers and sentences come from the
evidence; an unknown name is an error that names the template and the line.
"""

import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from labs.records.record import now
from reporting import ReportError, text
from reporting.cells import data_value
from reporting.evidence import NOT_MEASURED, Evidence, Question
from reporting.findings import MOST, Finding, Findings, chosen
from reporting.lab import LabRun, Size, shared, shown
from reporting.math import math
from reporting.names import Elsewhere, Names
from reporting.prose import paragraphs, start, words
from reporting.references import References

DOCUMENT = "report.html.j2"
# Every template may call its macros without importing them.
MACROS = "macros.html.j2"
# What a lab begins with.
OPENING = "labs/lab{lab}.html.j2"
# In a draft, what stands in the place of an answer.
MISSING = "missing.html.j2"


@dataclass(frozen=True)
class Section:
    """A question, its answer as HTML, and the verdict on it.

    `lab` is what the lab ran, and `checked` says whether the answer was checked at its sizes.
    `published` are the statements of others about it, each with the claims that contradict it. In a
    draft, an answer that cannot be given is `left_out`, and names the records that it lacks.
    """

    question: Question
    answer: Markup
    finding: Finding | None
    lab: LabRun
    checked: Markup
    published: list[Elsewhere]
    left_out: bool = False


@dataclass(frozen=True)
class Chapter:
    """A lab: its questions, in the order of the report, what opens it, and what was found."""

    lab: int
    sections: Sequence[Section]
    opening: Markup
    found: Findings

    @property
    def sizes(self) -> list[tuple[Size, list[Question]]]:
        """The sizes that decide the lab's answers, each with its questions."""
        return shared((section.question, section.lab) for section in self.sections)


class Report:
    """The document, rendered once."""

    def __init__(self, evidence: Evidence, templates: Path, preset: str) -> None:
        self.evidence = evidence
        self.names = Names(evidence)
        self.references = References(complete=not evidence.missing)
        # An unknown name in a template is an error.
        self.environment = Environment(
            loader=FileSystemLoader(templates),
            undefined=StrictUndefined,
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        self.environment.filters |= {
            "times": text.times,
            "percent": text.percent,
            "data_value": data_value,
            "paragraphs": paragraphs,
            "words": words,
            "shown": shown,
            "fill": self.names.fill,
        }
        self.environment.globals |= {
            **{name: getattr(self.names, name) for name in _public(vars(Names))},
            "start": start,
            "ref": self.references.ref,
            "caption_number": self.references.caption_number,
            "math": math,
            "preset": preset,
            "confidence": text.CONFIDENCE_LEVEL,
            "matters": text.MATTERS,
            "most": MOST,
            "machine": evidence.machine,
            "missing": evidence.missing,
            "drafted": now(),
        }
        macros = vars(self.environment.get_template(MACROS).module)
        self.environment.globals |= {name: macros[name] for name in _public(macros)}

    def render(self, css: str) -> str:
        """Return the whole document."""
        document = self.fill_template(
            DOCUMENT,
            css=Markup(css),
            evidence=self.evidence,
            chapters=self.chapters(),
            verdicts=Counter(claim.verdict for claim in self.evidence.own.values()),
        )
        return self.references.resolve(document)

    def chapters(self) -> list[Chapter]:
        """Return every lab, with its answers rendered."""
        labs = groupby(self.evidence.questions, key=lambda question: question.lab)
        answered = [(lab, [self.section(question) for question in mine]) for lab, mine in labs]
        # Openings come last: they repeat in few words what the answers say.
        return [
            Chapter(lab, sections, self.opening(lab), self.found(sections))
            for lab, sections in answered
        ]

    def opening(self, lab: int) -> Markup:
        """Return what a lab begins with; nothing in a draft that lacks a record for it."""
        self.names.begin(None)
        try:
            return Markup(self.fill_template(OPENING.format(lab=lab)))
        except ReportError:
            if not self.evidence.missing:
                raise
            return Markup()

    def found(self, sections: Sequence[Section]) -> Findings:
        """Return what the first pages say of the lab with these sections."""
        verdicts = [section.finding for section in sections if section.finding]
        questions = [section.question for section in sections]
        return chosen(questions, verdicts, self.evidence.own.values())

    def section(self, question: Question) -> Section:
        """Return a question with its answer, or with what a draft lacks for one."""
        if lacking := self.evidence.lacking(question):
            return self.left_out(question, lacking)
        numbers = dict(self.references.numbers)
        try:
            return self.answered(question)
        except ReportError as error:
            if not self.evidence.missing:
                raise
            # What has been rendered is dropped, and the numbers of its tables with it.
            self.references.numbers = numbers
            return self.left_out(question, [], str(error))

    def left_out(self, question: Question, lacking: Sequence[str], error: str = "") -> Section:
        """Return a question with a box in the place of its answer: which records it lacks."""
        box = self.fill_template(MISSING, lacking=lacking, error=error)
        lab = self.evidence.lab.runs[question.id]
        return Section(question, Markup(box), None, lab, Markup(), [], left_out=True)

    def answered(self, question: Question) -> Section:
        """Return a question with its rendered answer, and its verdict as the answer has said it."""
        self.names.begin(question)
        answer = Markup(self.fill_template(question.answer, question=question))
        finding = self.names.finding(question)
        lab = self.evidence.lab.runs[question.id]
        measured = finding is None or finding.claim.verdict != NOT_MEASURED
        checked = self.names.fill(words(lab.checked if measured else NOT_MEASURED))
        return Section(question, answer, finding, lab, checked, self.names.elsewhere(question))

    def fill_template(self, name: str, **context: Any) -> str:
        """Render a template. Raises `ReportError` with the template and the line."""
        try:
            return self.environment.get_template(name).render(**context)
        except (TemplateError, ReportError, TypeError, AttributeError, ValueError) as error:
            raise ReportError(f"{_place(error, name)}: {_said(error)}") from error


def _public(names: Iterable[str]) -> list[str]:
    return [name for name in names if not name.startswith("_")]


def _place(error: BaseException, name: str) -> str:
    """Return the template and the line of an error; for a macro, those of the call."""
    places = [
        f"{Path(frame.filename).name}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.endswith(".j2") and not frame.filename.endswith(MACROS)
    ]
    return places[-1] if places else name


def _said(error: BaseException) -> str:
    """Return an error's message; for a missing template, jinja2's is only the name."""
    if type(error).__name__ == "TemplateNotFound":
        return f"there is no template {error}"
    return str(error)
