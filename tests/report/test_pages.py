"""The pages of a real run's report, measured in its PDF: what is on them, and where they break."""

import io
import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import page as validator
import pikepdf
import pypdfium2  # type: ignore[import-untyped]
import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from reporting import pdf
from reporting.evidence import Evidence
from reporting.html import Report
from reporting.stylesheet import stylesheet
from tests.report import quick
from tests.report.test_pdf import elements, of_kind

REPORT = quick.ROOT / "report"
MOST_PAGES = 50
MOST_PAGES_OF_APPENDICES = 6
MOST_PAGES_OF_AN_ANSWER = 3
LEVEL_OF_ANSWERS = 1
LONGEST_WHOLE_TABLE = 20
MM = 72 / 25.4
SIDE, HEAD, FOOT = 21 * MM, 21 * MM, 19 * MM
"""The margins of a page, in points."""
BELOW_HEADING = 12 * MM
"""From the top of a heading to that of the second line below it, at least."""


class Page(NamedTuple):
    """A page's text, and the boxes of its lines: left, bottom, right and top, without margins."""

    text: str
    lines: list[tuple[float, float, float, float]]


@pytest.fixture(scope="module")
def html(evidence: Evidence) -> str:
    css = stylesheet(REPORT / "style", REPORT / "fonts")
    return Report(evidence, REPORT / "templates", "quick").render(css)


@pytest.fixture(scope="module")
def data(html: str, folder: Path) -> bytes:
    files = [folder / "claims.json", *(folder / "tables").glob("*.csv")]
    return pdf.render(html, {path.name: path.read_bytes() for path in files})


@pytest.fixture(scope="module")
def document(data: bytes) -> pypdfium2.PdfDocument:
    return pypdfium2.PdfDocument(io.BytesIO(data))


@pytest.fixture(scope="module")
def pages(document: pypdfium2.PdfDocument) -> list[Page]:
    return [_read(page) for page in document]


def _read(page: pypdfium2.PdfPage) -> Page:
    text = page.get_textpage()
    lines = (text.get_rect(number) for number in range(text.count_rects()))
    head = page.get_height() - HEAD
    return Page(text.get_text_range(), [line for line in lines if FOOT < line[1] < head])


def test_the_report_does_not_grow(document: pypdfium2.PdfDocument, pages: list[Page]) -> None:
    starts = [entry.get_dest().get_index() for entry in document.get_toc() if entry.level == 0]
    assert len(pages) <= MOST_PAGES
    assert len(pages) - starts[-1] <= MOST_PAGES_OF_APPENDICES


def test_an_answer_takes_few_pages(document: pypdfium2.PdfDocument, pages: list[Page]) -> None:
    def pages_above(page: int, height: float) -> float:
        return page + (297 * MM - HEAD - height) / (297 * MM - HEAD - FOOT)

    def pages_to_the_line_above(page: int, height: float) -> float:
        above = [bottom for _, bottom, _, _ in pages[page].lines if bottom > height]
        if above:
            return pages_above(page, min(above))
        return pages_above(page - 1, _lowest(pages[page - 1]))

    entries = [entry for entry in document.get_toc() if entry.level <= LEVEL_OF_ANSWERS]
    places = [(entry.get_title(), entry.get_dest()) for entry in entries]
    taken = {
        title: pages_to_the_line_above(end.get_index(), end.get_view()[1][1])
        - pages_above(start.get_index(), start.get_view()[1][1])
        for (title, start), (_, end) in pairwise(places)
    }
    assert len(taken) > 25
    assert {title: n for title, n in taken.items() if n > MOST_PAGES_OF_AN_ANSWER} == {}


def test_no_page_is_half_empty_but_the_last_of_a_part(pages: list[Page]) -> None:
    starts = re.compile(r"\AHow to read|APPENDICES")
    followers = [page.text for page in pages[1:]] + ["APPENDICES"]
    middle = FOOT + (297 * MM - HEAD - FOOT) / 2
    empty = [
        number
        for number, (page, after) in enumerate(zip(pages, followers, strict=True), 1)
        if _lowest(page) > middle and not starts.search(after[:400]) and number > 1
    ]
    assert empty == []


def _lowest(page: Page) -> float:
    return min(bottom for _, bottom, _, _ in page.lines)


def test_nothing_leaves_the_page(pages: list[Page]) -> None:
    width = 210 * MM
    outside = [
        number
        for number, page in enumerate(pages, 1)
        for left, _, right, _ in page.lines
        if left < SIDE - 1 or right > width - SIDE + 1
    ]
    assert outside == []


def test_no_heading_ends_a_page(document: pypdfium2.PdfDocument, pages: list[Page]) -> None:
    places = [(entry.get_title(), entry.get_dest()) for entry in document.get_toc()]
    ending = [
        title
        for title, place in places
        if place.get_view()[1][1] - _lowest(pages[place.get_index()]) < BELOW_HEADING
    ]
    assert len(places) > 50
    assert ending == []


def test_short_answers_and_boxes_stand_on_one_page(html: str, pages: list[Page]) -> None:
    def letters(text: str) -> str:
        return re.sub(r"[\W_]", "", text)

    found = document_fromstring(html).xpath("//*[@class = 'short' or @class = 'erratum']")
    printed = [box for box in found if not box.xpath("ancestor::*[@class = 'screen-only']")]
    boxes = [letters(box.text_content()) for box in printed]
    texts = [letters(page.text) for page in pages]
    split = [box for box in boxes if not any(box[:25] in t and box[-25:] in t for t in texts)]
    assert len(boxes) > 25
    assert split == []


def test_short_tables_stand_on_one_page(data: bytes) -> None:
    tables: list[list[int]] = []  # The rows in every fragment of each.
    with pikepdf.open(io.BytesIO(data)) as opened:
        for fragment in of_kind(opened, "/Table"):
            kinds = [str(found.S) for found in elements(fragment)]
            if "/Caption" in kinds:  # Only the first fragment has it.
                tables.append([])
            tables[-1].append(kinds.count("/TR"))
    assert len(tables) > 20
    assert [one for one in tables if len(one) > 1 and sum(one) < LONGEST_WHOLE_TABLE] == []


def test_the_pdf_conforms_to_its_standard(data: bytes) -> None:
    report = validator.validate_pdf_bytes(data, profile="ua1")
    assert [f"{failure.rule_id}: {failure.message}" for failure in report.failures] == []
