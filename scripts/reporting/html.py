"""The report as one self-contained HTML file: templates filled from the evidence.

Templates see only the names that `Report` gives them. Numbers and sentences come from the
evidence; an unknown name is an error that names the template and the line.
"""

import traceback
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError, TemplateNotFound
from markupsafe import Markup

from labs.claims.claim import NOT_MEASURED
from labs.records.record import now
from reporting import ReportError, text
from reporting.cells import data_value, in_cell, table_cells
from reporting.evidence import Evidence, Question
from reporting.findings import (
    Finding,
    Published,
    brief,
    elsewhere,
    findings,
    lacks_interval,
    published,
)
from reporting.lab import NO_LAB, LabRun, Size, shown
from reporting.math import math
from reporting.numbering import caption_number, numbered, ref
from reporting.prose import fill, paragraphs, start, words
from reporting.sentences import (
    decided_once,
    deciding,
    mark,
    omitted,
    read,
    row_said,
    said,
    sentence,
    shows,
)
from reporting.strip import GROUND, strip

DOCUMENT = "report.html.j2"
# Every template may call its macros without importing them.
MACROS = "macros.html.j2"
# What a lab begins with.
OPENING = "openings.html.j2"
# Its model, and the accuracy that others are compared with.
BASIS = "basis.html.j2"
# In a draft, what stands in the place of an answer.
MISSING = "missing.html.j2"


@dataclass(frozen=True)
class Section:
    """A question, its answer as HTML, and the verdict on it.

    `lab` is what the lab ran, and `checked` says whether the answer was checked at its sizes.
    `published` are the statements of others about it, `sentences` what it says of its claims,
    `brief` what was found in a few words, and `omitted` what print leaves out. In a draft, an
    answer that cannot be given is `left_out`, and names the records that it lacks.
    """

    question: Question
    answer: Markup
    findings: Sequence[Finding]
    lab: LabRun
    checked: Markup
    published: list[Published]
    sentences: Mapping[str, Markup]
    brief: Markup
    omitted: Sequence[Markup]
    left_out: bool = False

    @property
    def differing(self) -> dict[str, list[str]]:
        """On what else in the answer than its findings a source says otherwise."""
        main, subjects = [finding.claim for finding in self.findings], dict[str, list[str]]()
        for statement, claims, _ in self.published:
            others = subjects.setdefault(statement.source, [])
            if statement.about not in others and any(claim not in main for claim in claims):
                others.append(statement.about)
        return {source: others for source, others in subjects.items() if others}


@dataclass(frozen=True)
class Chapter:
    """A lab: its questions, in the order of the report, what opens it, and its model."""

    lab: int
    sections: Sequence[Section]
    opening: Markup
    basis: Markup

    @property
    def sizes(self) -> dict[str, list[tuple[Size, list[Question]]]]:
        """The sizes that decide the lab's answers, by setting, each with its questions."""
        sizes: dict[str, dict[str, tuple[Size, list[Question]]]] = {}
        for section in self.sections:
            for size in section.lab.sizes:
                alike = sizes.setdefault(size.setting, {})
                alike.setdefault(shown(size.lab), (size, []))[1].append(section.question)
        return {setting: list(alike.values()) for setting, alike in sizes.items()}


class Report:
    """The templates and what they are filled from.

    Answers and openings are rendered first, to values; the document is rendered from these.
    """

    def __init__(self, evidence: Evidence, templates: Path, preset: str) -> None:
        self.evidence = evidence
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
            "data_value": data_value,
            "in_cell": in_cell,
            "paragraphs": paragraphs,
            "strip": strip,
            "words": words,
            "shown": shown,
            "decided_once": decided_once,
            "fill": partial(fill, evidence.value),
        }
        self.environment.globals |= {
            "value": evidence.value,
            "has": evidence.has,
            "setting": evidence.setting,
            "claim": evidence.claim,
            "drawing": evidence.drawing,
            "sentence": partial(sentence, evidence.value),
            "table_cells": partial(table_cells, evidence.tables),
            "start": start,
            "ref": ref,
            "caption_number": caption_number,
            "mark": mark,
            "deciding": deciding,
            "said": said,
            "omitted": omitted,
            "row_said": row_said,
            "shows": shows,
            "lacks_interval": lacks_interval,
            "math": math,
            "evidence": evidence,
            "preset": preset,
            "confidence": text.CONFIDENCE_LEVEL,
            "matters": text.MATTERS,
            "elsewhere": partial(elsewhere, evidence),
            "ground": GROUND,
            "machine": evidence.machine,
            "missing": evidence.missing,
            "drafted": now(),
        }
        macros = vars(self.environment.get_template(MACROS).module)
        self.environment.globals |= {
            name: macro for name, macro in macros.items() if not name.startswith("_")
        }

    def render(self, css: str) -> str:
        """Return the whole report."""
        marked = Counter(map(mark, self.evidence.local.values()))
        html = self.fill_template(
            DOCUMENT, css=Markup(css), chapters=self.chapters(), marked=marked
        )
        return numbered(html, complete=not self.evidence.missing)

    def chapters(self) -> list[Chapter]:
        """Return every lab, with its answers rendered."""
        labs = groupby(self.evidence.questions, key=lambda question: question.lab)
        return [self.chapter(lab, list(questions)) for lab, questions in labs]

    def chapter(self, lab: int, questions: Sequence[Question]) -> Chapter:
        """Return a lab; in a draft, without what needs a record that it lacks."""
        sections = [self.section(question) for question in questions]
        opening, basis = (self.words(part, lab) for part in (OPENING, BASIS))
        return Chapter(lab, sections, opening, basis)

    def words(self, template: str, lab: int) -> Markup:
        """Return what a template says of a lab; nothing in a draft that lacks a record for it."""
        try:
            return Markup(self.fill_template(template, lab=lab).strip())
        except ReportError:
            if not self.evidence.missing:
                raise
            return Markup()

    def section(self, question: Question) -> Section:
        """Return a question with its answer; in a draft that lacks a record for it, with a box that
        says so.
        """
        lab = self.evidence.lab.runs.get(question.id, NO_LAB)
        lacking, error = self.evidence.lacking(question), ""
        if not lacking:
            try:
                return self.answered(question, lab)
            except ReportError as fault:
                if not self.evidence.missing:
                    raise
                error = str(fault)
        box = self.fill_template(MISSING, lacking=lacking, error=error)
        return Section(
            question, Markup(box), [], lab, Markup(), [], {}, Markup(), [], left_out=True
        )

    def answered(self, question: Question, lab: LabRun) -> Section:
        """Return a question with its answer."""
        answer = read(self.fill_template(question.answer, question=question))
        found = findings(self.evidence, question, answer)
        measured = all(one.claim.verdict != NOT_MEASURED for one in found)
        checked = fill(self.evidence.value, words(lab.checked if measured else NOT_MEASURED))
        rows = published(self.evidence, question, answer.claims)
        few = brief(self.evidence, question)
        return Section(
            question,
            answer.html,
            found,
            lab,
            checked,
            rows,
            answer.sentences,
            few,
            answer.omitted,
        )

    def fill_template(self, name: str, **context: Any) -> str:
        """Render a template. Raises `ReportError` with the template and the line."""
        try:
            return self.environment.get_template(name).render(**context)
        except (TemplateError, ReportError, TypeError, AttributeError, ValueError) as error:
            # Of an error in a macro, the place is that of the call.
            places = [
                f"{Path(frame.filename).name}, line {frame.lineno}"
                for frame in traceback.extract_tb(error.__traceback__)
                if frame.filename.endswith(".j2") and not frame.filename.endswith(MACROS)
            ]
            place = places[-1] if places else name
            message = f"there is no template {error}" if type(error) is TemplateNotFound else error
            raise ReportError(f"{place}: {message}") from error
