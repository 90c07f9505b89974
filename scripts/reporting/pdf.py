"""The report's HTML as an accessible PDF (PDF/UA-1) that depends on that HTML alone.

It uses no other file, network, clock or installed font: what the HTML lacks is an error.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pydyf  # type: ignore[import-untyped]
from weasyprint import HTML, Attachment, Document
from weasyprint.urls import URLFetcher

from reporting import ReportError
from reporting.drawing import as_images
from reporting.margin import separate

# Messages that do not indicate a fault in the document, each with the reason.
HARMLESS = (
    # WeasyPrint prefers the HarfBuzz subsetter where it is installed; fontTools' works as well.
    r"Using fontTools instead of HarfBuzz-Subset for font",
)
PARAGRAPH = re.compile(r"<p\b.*?</p>", re.DOTALL)
SPACE_BEFORE_ELEMENT = re.compile(r"(?<=[^\s>])\s+(?=<[a-z])")
# The font families bundled by the style sheet; glyphs from any other come from this machine.
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*?font-family:\s*[\"']?([^\"';]+)", re.IGNORECASE)


def render(html: str, files: Mapping[str, bytes]) -> bytes:
    """Return the PDF of a self-contained HTML document, with those files attached that it names.

    Raises `ReportError` for any warning of the renderer, for text that no bundled font can show,
    for a document without a date, and for a file that it names and that is not given.
    """
    facts = _Facts()
    facts.feed(html)
    if facts.created is None:
        raise ReportError('the HTML has no <meta name="dcterms.created" content="YYYY-MM-DD…">')
    if lacking := facts.attached - files.keys():
        raise ReportError(f"the HTML names files that are not given: {', '.join(sorted(lacking))}")
    bundled = set(FONT_FACE.findall(html))

    with _date(facts.created) as created, _strict_log() as faults:
        # Without dates of their own, attachments have the clock's.
        attachments = [
            Attachment(string=files[name], name=name, created=created, modified=created)
            for name in sorted(facts.attached)
        ]

        def finish(document: Document, pdf: pydyf.PDF) -> None:
            faults.extend(_foreign_fonts(document, bundled))
            _mark_formulas(pdf, facts.formulas)

        options = {"pdf_variant": "pdf/ua-1", "attachments": attachments}
        document = HTML(
            string=_with_loose_spaces(as_images(html)),
            base_url="",
            url_fetcher=URLFetcher(allowed_protocols={"data"}),
        ).render(**options)
        separate(document)
        _keep_whole_links(document)
        data: bytes = document.write_pdf(finisher=finish, **options)
    return data


class _Facts(HTMLParser):
    """What the renderer does not keep: the date, the words of formulas, and the files named."""

    def __init__(self) -> None:
        super().__init__()
        self.created: str | None = None
        self.formulas: set[str] = set()
        self.attached: set[str] = set()
        self._names_file = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "meta" and found.get("name") == "dcterms.created":
            self.created = found.get("content")
        if tag == "img" and found.get("class") == "math":
            self.formulas.add(found.get("alt") or "")
        self._names_file = found.get("class") == "attached"

    def handle_data(self, data: str) -> None:
        if self._names_file:
            self.attached.add(data)
        self._names_file = False


def _with_loose_spaces(html: str) -> str:
    """Give a space before an element within a paragraph an element of its own.

    If a text fits into a line without its last space alone, the renderer breaks after its first
    word.
    """
    return PARAGRAPH.sub(lambda found: SPACE_BEFORE_ELEMENT.sub("<span> </span>", found[0]), html)


def _keep_whole_links(document: Document) -> None:
    """Drop the links of what stands within a link: the renderer makes one of each element there."""
    for page in document.pages:
        page.links = [link for link in page.links if link[-1].element_tag == "a"]


def _mark_formulas(pdf: pydyf.PDF, spoken: set[str]) -> None:
    """Tag formulas as formulas: the renderer tags every image as a figure."""
    for item in pdf.objects:
        if isinstance(item, pydyf.Dictionary) and item.get("S") == "/Figure":
            alt = item.get("Alt")
            if alt is not None and alt.string in spoken:
                item["S"] = "/Formula"


def _foreign_fonts(document: Any, bundled: set[str]) -> Iterator[str]:
    """Yield a message per font of this machine: the same HTML would look different elsewhere."""
    for font in document.fonts.values():
        if font.family not in bundled:
            shown = "".join(sorted(set("".join(font.to_unicode.values()))))
            yield (
                f"{shown!r} is shown in {font.family!r}, a font of this machine: no bundled font "
                "has it; use other characters, and draw the text in figures as paths"
            )


@contextmanager
def _date(created: str) -> Iterator[datetime]:
    """Use the document's date wherever libraries would ask the clock, as for embedded fonts."""
    try:
        moment = datetime.fromisoformat(created)
    except ValueError as error:
        raise ReportError(f"dcterms.created: {created!r} is not an ISO date") from error
    before = os.environ.get("SOURCE_DATE_EPOCH")
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    os.environ["SOURCE_DATE_EPOCH"] = str(int(moment.timestamp()))
    try:
        yield moment
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before


class _Faults(logging.Handler):
    """Collects the renderer's warnings and errors."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if not any(re.match(pattern, message) for pattern in HARMLESS):
            # A data URI in a message is as long as its file.
            self.messages.append(re.sub(r"(data:[^\s\"']{40})[^\s\"']*", r"\1…", message))


@contextmanager
def _strict_log() -> Iterator[list[str]]:
    """Raise `ReportError` if the renderer logs a fault, or if the caller adds one to the list."""
    faults = _Faults()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(faults)
    try:
        yield faults.messages
    finally:
        logger.removeHandler(faults)
    if faults.messages:
        raise ReportError("\n".join(dict.fromkeys(faults.messages)))
