"""The report as one HTML file: templates, filled from the evidence, with all they need inside.

Answer templates see only the names that `Report` gives them. Numbers and sentences come from the
evidence; a name that it lacks stops the render with the template and its line.
"""

from __future__ import annotations

import base64
import mimetypes
import re
import traceback
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, TemplateError
from markupsafe import Markup, escape

from reporting import ReportError, text
from reporting.cells import Cells, table_cells
from reporting.context import (
    NOT_MEASURED,
    THIS_MACHINE,
    VERDICTS,
    Claim,
    Evidence,
    Question,
    Statement,
)
from reporting.drawing import inline
from reporting.math import math

DOCUMENT = "report.html.j2"
MACROS = "macros.html.j2"
# Macros that answer templates may call without importing them.
SHARED_MACROS = (
    "say",
    "table",
    "figure",
    "listing",
    "erratum",
    "published",
    "not_answered",
    "verdict_badge",
)
SMOKE = "smoke"

# `{name}` or `{name:point}` in a sentence; braces around anything else, as in {5, 50}, stay.
PLACEHOLDER = re.compile(r"\{([A-Za-z][\w.\-]*)(?::(\w+))?\}")
REFERENCE = re.compile(r"<!--ref:(table|figure):([^>]*?)-->")
LOCAL_URL = re.compile(r"""url\((["']?)(?!data:|#)([^"')]+)\1\)""")


@dataclass(frozen=True)
class Section:
    """A question and its answer as HTML, None where it has none yet."""

    question: Question
    answer: Markup | None
    verdicts: Mapping[str, int]


@dataclass(frozen=True)
class Chapter:
    """A lab's sections in order."""

    lab: int
    sections: tuple[Section, ...]

    @property
    def answered(self) -> list[Section]:
        """The sections that have an answer."""
        return [section for section in self.sections if section.answer is not None]

    @property
    def open(self) -> list[Section]:
        """The sections that have none yet."""
        return [section for section in self.sections if section.answer is None]


class Report:
    """The names that templates may use, and the numbering of tables and figures."""

    def __init__(self, evidence: Evidence, templates: Path, preset: str) -> None:
        self.evidence = evidence
        self.preset = preset
        self.numbers: dict[tuple[str, str], int] = {}
        self.quoted: set[str] = set()
        self.own = {claim.id: claim for claim in evidence.claims if claim.machine == THIS_MACHINE}
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
            "prose": prose,
            "words": words,
            "fill": self.fill,
        }
        self.environment.globals |= {
            "value": self.value,
            "has": self.has,
            "claim": self.claim,
            "ref": self.ref,
            "math": math,
            "table_cells": self.table_cells,
            "drawing": self.drawing,
            "caption_number": self.caption_number,
            "sentence": self.sentence,
            "recorded": self.recorded,
            "statements": self.statements,
            "not_yet_quoted": self.not_yet_quoted,
            "preset": preset,
            "machine": evidence.machine,
        }
        module: Any = self.environment.get_template(MACROS).module
        self.environment.globals |= {name: getattr(module, name) for name in SHARED_MACROS}

    # ------------------------------------------------------------------ names for the templates
    def value(self, name: str) -> text.Quantity:
        """Return the quantity called `name` in values.csv."""
        try:
            return self.evidence.values[name]
        except KeyError:
            raise ReportError(f"there is no value {name!r} in values.csv") from None

    def has(self, name: str) -> bool:
        """True where values.csv has `name`."""
        return name in self.evidence.values

    def claim(self, name: str) -> Claim:
        """Return this machine's claim with the id `name`."""
        try:
            return self.own[name]
        except KeyError:
            raise ReportError(f"there is no claim {name!r} in claims.json") from None

    def recorded(self, name: str) -> list[Claim]:
        """Return the claims with the id `name` that were recorded on other machines."""
        return [
            claim
            for claim in self.evidence.claims
            if claim.id == name and claim.machine != THIS_MACHINE
        ]

    def statements(self, question: str) -> list[Statement]:
        """Return the published statements about a question that come with numbers."""
        if question not in {known.id for known in self.evidence.questions}:
            raise ReportError(f"there is no question {question!r}")
        return [
            found
            for found in self.evidence.statements.values()
            if found.question == question and found.values
        ]

    def not_yet_quoted(self, statements: Sequence[Statement]) -> list[Statement]:
        """Return the statements that this answer has not quoted yet, and count them as quoted."""
        fresh = [found for found in statements if found.id not in self.quoted]
        self.quoted |= {found.id for found in fresh}
        return fresh

    def fill(self, sentence: str) -> Markup:
        """Return HTML with its `{name}`s replaced by values, `{name:point}` by a part or a unit."""

        def replacement(match: re.Match[str]) -> str:
            name, part = match.groups()
            quantity = self.value(name)
            if part is None:
                return str(escape(quantity))
            if part in ("point", "interval"):
                return str(escape(getattr(quantity, part)))
            if part in ("times", "percent"):
                return str(escape(getattr(text, part)(quantity)))
            raise ReportError(f"{{{name}:{part}}}: use point, interval, times or percent")

        return Markup(PLACEHOLDER.sub(replacement, str(sentence)))

    def sentence(self, claim: Claim, **sentences: str) -> Markup:
        """Return the sentence of the claim's verdict, or its statement where there is none.

        All sentences are filled, so that none can be wrong.
        """
        if claim.verdict == NOT_MEASURED:
            reason = claim.reason.removeprefix(f"{NOT_MEASURED}:").strip().rstrip(".")
            return Markup("Not measured on {}: {}.").format(claim.device, reason)
        filled = {verdict: self.fill(sentence) for verdict, sentence in sentences.items()}
        return filled[claim.verdict] or Markup("{}").format(claim.statement)

    def caption_number(self, kind: str, name: str) -> int:
        """Return the next number of a table or a figure, and remember it for references."""
        if (kind, name) in self.numbers:
            raise ReportError(f"{kind} {name!r} is shown twice: give the second one its own id")
        self.numbers[kind, name] = 1 + sum(known == kind for known, _ in self.numbers)
        return self.numbers[kind, name]

    def ref(self, target: str) -> Markup:
        """Return a link such as `Table 3` to `table:<id>` or `figure:<id>`, wherever that is."""
        kind, _, name = target.partition(":")
        if kind not in ("table", "figure") or not name:
            raise ReportError(f"ref({target!r}): write 'table:<name>' or 'figure:<name>'")
        # The number may not be known yet: `resolve` puts it in when the document is complete.
        return Markup(f"<!--ref:{kind}:{escape(name)}-->")

    def resolve(self, html: str) -> str:
        """Replace the marks that `ref` left by links with numbers."""

        def link(match: re.Match[str]) -> str:
            kind, name = match.groups()
            if (kind, name) not in self.numbers:
                raise ReportError(f"ref('{kind}:{name}'): the report shows no such {kind}")
            number = self.numbers[kind, name]
            return f'<a class="ref" href="#{kind}-{name}">{kind.capitalize()}\u00a0{number}</a>'

        return REFERENCE.sub(link, html)

    def drawing(self, name: str) -> Markup:
        """Return a figure's `<svg>`."""
        try:
            figure = self.evidence.figures[name]
        except KeyError:
            raise ReportError(f"there is no figure {name!r}") from None
        return inline(name, figure.svg, figure.alt)

    def table_cells(
        self,
        name: str,
        columns: Sequence[str | Sequence[str]],
        where: Mapping[str, str] | None = None,
    ) -> Cells:
        """Return the cells of tables/<name>.csv, as `cells.table_cells` explains."""
        if name not in self.evidence.tables:
            raise ReportError(f"there is no table {name!r}")
        return table_cells(self.evidence.tables[name], columns, where)

    # --------------------------------------------------------------------------- the document
    def render(self, css: str) -> str:
        """Return the whole document."""
        chapters = [
            Chapter(lab, tuple(self.section(question) for question in questions))
            for lab, questions in groupby(self.evidence.questions, key=lambda asked: asked.lab)
        ]
        document = self.fill_template(
            DOCUMENT,
            css=Markup(css),
            chapters=[chapter for chapter in chapters if chapter.answered],
            unanswered=[chapter for chapter in chapters if chapter.open],
            glance=chapters,
            verdicts=_count(self.own.values()),
            claims_by_machine={
                machine: list(claims)
                for machine, claims in groupby(
                    sorted(self.evidence.claims, key=lambda claim: claim.machine),
                    key=lambda claim: claim.machine,
                )
            },
            smoke=self.preset == SMOKE,
            machine_rows=self.evidence.tables["machine"].rows,
            settings=self.evidence.tables["settings"].rows,
            jobs=self.evidence.tables["jobs"].rows,
        )
        return self.resolve(document)

    def section(self, question: Question) -> Section:
        """Render a question's answer."""
        answer = None
        self.quoted.clear()
        if question.answer is not None:
            answer = Markup(self.fill_template(question.answer, question=question))
        mine = (claim for claim in self.own.values() if claim.question == question.id)
        return Section(question, answer, _count(mine))

    def fill_template(self, name: str, **context: Any) -> str:
        """Render a template; whatever goes wrong names the template and its line."""
        try:
            return self.environment.get_template(name).render(**context)
        except (TemplateError, ReportError, TypeError, AttributeError, ValueError) as error:
            raise ReportError(f"{_place(error, name)}: {_said(error)}") from error


def stylesheet(style: Path, fonts: Path) -> str:
    """Return the style sheets of a folder in order of name, with fonts and images inside them."""

    def inlined(match: re.Match[str]) -> str:
        name = Path(match[2]).name
        found = next(
            (folder / name for folder in (fonts, style) if (folder / name).is_file()), None
        )
        if found is None:
            raise ReportError(
                f"a style sheet names {match[2]!r}, which is in neither {fonts} nor {style}"
            )
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return f'url("{data_uri(kind, found.read_bytes())}")'

    sheets = sorted(style.glob("*.css"))
    if not sheets:
        raise ReportError(f"there is no style sheet in {style}")
    return "\n".join(LOCAL_URL.sub(inlined, sheet.read_text(encoding="utf-8")) for sheet in sheets)


def data_uri(kind: str, data: bytes) -> str:
    """Return `data` as a URI that holds it."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def words(plain: str) -> Markup:
    """Return plain text as HTML in which backticks mark code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(plain.strip()))))


def prose(plain: str) -> Markup:
    """Return plain text as paragraphs, parted by empty lines; backticks mark code."""
    return Markup("\n").join(
        Markup("<p>{}</p>").format(words(paragraph)) for paragraph in plain.strip().split("\n\n")
    )


def _count(claims: Iterable[Claim]) -> dict[str, int]:
    counts = Counter(claim.verdict for claim in claims)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _place(error: BaseException, name: str) -> str:
    """The template and the line that an error came from: the one rendered, not a macro's."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.endswith(name)
    ]
    line = getattr(error, "lineno", None) or (lines[0] if lines else None)
    return f"{name}, line {line}" if line else name


def _said(error: BaseException) -> str:
    """An error's message; a template that is not there has only its name for one."""
    if type(error).__name__ == "TemplateNotFound":
        return f"there is no template {error}"
    return str(error)
