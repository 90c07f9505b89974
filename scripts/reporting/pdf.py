"""The report's HTML as an accessible PDF (PDF/UA-1) that depends on that HTML alone.

It uses no other file, network, clock or installed font: what the HTML lacks is an error.
"""

import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from html import unescape
from logging.handlers import BufferingHandler
from typing import Any

import pydyf  # type: ignore[import-untyped]
from weasyprint import HTML, Attachment, Document, urls

from reporting import ReportError
from reporting.drawing import as_images

# It prefers the HarfBuzz subsetter where it is installed; fontTools' works as well.
HARMLESS = "Using fontTools instead of HarfBuzz-Subset for font"
# What the templates write, and the renderer does not keep.
CREATED = re.compile(r'<meta name="dcterms\.created" content="([^"]*)">')
ATTACHED = re.compile(r'<code class="attached">([^<]*)</code>')
FORMULA = re.compile(r'<img class="math" alt="([^"]*)"')
PARAGRAPH = re.compile(r"<p\b.*?</p>", re.DOTALL)
# In print, claims are in an attached file.
CLAIM_LINK = re.compile(r'<a class="(mark[^"]*)" href="#[^"]*">(.*?)</a>')
SPACE_BEFORE_ELEMENT = re.compile(r"(?<=[^\s>])\s+(?=<[a-z])")
# The font families bundled by the style sheet; glyphs from any other come from this machine.
FONT_FACE = re.compile(r"@font-face\s*\{[^}]*?font-family:\s*[\"']?([^\"';]+)", re.IGNORECASE)

# What fetches for the renderer is a class; before version 68 it is a function.
FETCHER: Any = getattr(urls, "URLFetcher", object)


class DataFetcher(FETCHER):
    """Fetches data URIs alone. Version 68, told to allow no others, refuses these as well."""

    def __call__(self, url: str) -> Any:
        if not url.startswith("data:"):
            raise ValueError(f"{url} is outside of the HTML")
        return super().__call__(url) if FETCHER is not object else urls.default_url_fetcher(url)


def render(html: str, files: Mapping[str, bytes]) -> bytes:
    """Return the PDF of a self-contained HTML document, with those files attached that it names.

    Raises `ReportError` for any warning of the renderer, for text that no bundled font can show,
    for a document without a date, and for a file that it names and that is not given.
    """
    dated = CREATED.search(html)
    if dated is None:
        raise ReportError('the HTML has no <meta name="dcterms.created" content="YYYY-MM-DD…">')
    named = set(ATTACHED.findall(html))
    if lacking := named - files.keys():
        raise ReportError(f"the HTML names files that are not given: {', '.join(sorted(lacking))}")
    bundled = set(FONT_FACE.findall(html))
    formulas = {unescape(spoken) for spoken in FORMULA.findall(html)}

    html = CLAIM_LINK.sub(r'<span class="\1">\2</span>', as_images(html))

    with _date(dated[1]) as created, _strict_log() as faults:
        # Without dates of their own, attachments have the clock's.
        attachments = [
            Attachment(string=files[name], name=name, created=created, modified=created)
            for name in sorted(named)
        ]

        def finish(document: Document, pdf: pydyf.PDF) -> None:
            faults.extend(_foreign_fonts(document, bundled))
            _mark_formulas(pdf, formulas)

        options = {"pdf_variant": "pdf/ua-1", "attachments": attachments}
        document = HTML(
            string=_with_loose_spaces(html), base_url="", url_fetcher=DataFetcher()
        ).render(**options)
        for page in document.pages:
            # Within a link, the renderer makes a link of each element.
            page.links = [link for link in page.links if link[-1].element_tag == "a"]
        data: bytes = document.write_pdf(finisher=finish, **options)
    return data


def _with_loose_spaces(html: str) -> str:
    """Give a space before an element within a paragraph an element of its own.

    If a text fits into a line without its last space alone, the renderer breaks after its first
    word.
    """
    return PARAGRAPH.sub(lambda match: SPACE_BEFORE_ELEMENT.sub("<span> </span>", match[0]), html)


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


@contextmanager
def _strict_log() -> Iterator[list[str]]:
    """Raise `ReportError` if the renderer warns, or if the caller adds a fault to the list."""
    faults: list[str] = []
    logged = BufferingHandler(sys.maxsize)
    logged.setLevel(logging.WARNING)
    logger = logging.getLogger("weasyprint")
    logger.addHandler(logged)
    try:
        yield faults
    finally:
        logger.removeHandler(logged)
    messages = (record.getMessage() for record in logged.buffer)
    faults += [message for message in messages if not message.startswith(HARMLESS)]
    if faults:
        # A data URI in a message is as long as its file.
        short = (re.sub(r"(data:[^\s\"']{40})[^\s\"']*", r"\1…", fault) for fault in faults)
        raise ReportError("\n".join(dict.fromkeys(short)))
