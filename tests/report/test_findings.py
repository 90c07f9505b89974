"""The first pages: what was asked and found in every question, and a picture of the effects."""

import re
from typing import Any

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from labs.records.quantity import Quantity
from reporting.evidence import Evidence
from reporting.html import Report
from reporting.strip import LEFT, RIGHT, WIDTH, strip
from tests.report import quick


def drawn(quantity: Quantity) -> list[float]:
    """Where a drawing has the ends of the interval and the point, in per cent of its width."""
    [(low, high)] = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)"', strip(quantity))
    [point] = re.findall(r'cx="([\d.]+)"', strip(quantity))
    return [float(place) / WIDTH * 100 for place in (low, point, high)]


@pytest.mark.parametrize(
    ("quantity", "place"),
    [
        (Quantity(0.002, -0.004, 0.008, unit="points"), "within"),
        (Quantity(0.007, 0.002, 0.013, unit="points"), "partly within"),
        (Quantity(-0.31, -0.33, -0.28, unit="points"), "outside"),
        (Quantity(1.32, 1.20, 1.47, unit="ratio"), "outside"),
        (Quantity(0.97, 0.96, 1.04, unit="ratio"), "within"),
    ],
)
def test_an_effect_is_drawn_over_the_band_of_what_does_not_matter(
    quantity: Quantity, place: str
) -> None:
    low, point, high = drawn(quantity)
    assert 0 < low < point < high < 100
    assert (point > 50) == (quantity.value > (quantity.unit == "ratio"))
    places = {"within": LEFT < low < high < RIGHT, "outside": low > RIGHT or high < LEFT}
    assert places.get(place, low < RIGHT < high)
    assert f"{quantity}: {place} the band" in strip(quantity)


def test_what_has_no_interval_or_no_band_is_not_drawn() -> None:
    counted, accuracy = Quantity(127.0), Quantity(0.82, 0.80, 0.84, unit="share")
    assert [strip(one) for one in (None, counted, accuracy)] == ["", "", ""]


@pytest.fixture(scope="module")
def document(evidence: Evidence) -> Any:
    html = Report(evidence, quick.ROOT / "report" / "templates", "quick").render("")
    return document_fromstring(html)


@pytest.fixture(scope="module")
def glance(document: Any) -> Any:
    return document.get_element_by_id("glance")


def test_the_title_says_from_when_to_when_was_measured(document: Any) -> None:
    [facts] = document.find_class("facts")
    assert "2026-11-28 00:06 to 01:07 UTC" in facts.text_content()


def test_every_question_is_there_with_what_was_asked_found_and_how_sure(
    evidence: Evidence, glance: Any
) -> None:
    rows = glance.xpath(".//tr[th][td[@class = 'strip']]")
    said = [row.xpath("string(td)") for row in rows]
    assert len(said) == len(evidence.questions) == 25
    for question, words in zip(evidence.questions, said, strict=True):
        assert question.line.endswith("?") and question.line in words
        assert len(words) > len(question.line) + 20
    also = glance.xpath(".//tr[@class = 'also']")
    assert len(also) == sum(question.also is not None for question in evidence.questions) > 0
    assert all(row.xpath("td[@class = 'sure']/a") for row in [*rows, *also])


def test_the_first_pages_say_whether_compiling_pays_by_how_much_and_who_differs(
    evidence: Evidence, glance: Any
) -> None:
    [row] = [
        row
        for row in glance.xpath(".//tr[td[@class = 'strip']]")
        if row.xpath("th/a/@href") == ["#lab4-1a"]
    ]
    why = row.getnext()
    claim = evidence.claim("compilation.resnet18.cpu.corrected-faster")
    words = re.sub(r"\s+", " ", row.text_content() + why.text_content())
    assert "The lab's mean" in words
    assert "compiled ResNet-18" in words and "the lab's batch" in words
    assert re.sub(r"\s+", " ", str(claim.estimate)) in words
    assert row.xpath(".//td[@class = 'strip']/svg")
    [section] = [
        section
        for chapter in Report(evidence, quick.ROOT / "report" / "templates", "quick").chapters()
        for section in chapter.sections
        if section.question.id == "lab4-1a"
    ]
    against = [statement.source for statement in evidence.contradicted(claim)]
    for source in (*against, *section.differing):
        assert source in words


def test_a_verdict_on_what_is_neither_better_nor_worse_is_not_drawn(glance: Any) -> None:
    drawn = {
        row.xpath("string(td[@class = 'sure']/a/@href)").removeprefix("#claim-")
        for row in glance.xpath(".//tr[td[@class = 'strip']/svg]")
    }
    assert "compilation.resnet18.cpu.corrected-faster" in drawn
    assert not {claim for claim in drawn if claim.endswith((".dtype-decides", ".lab-code-slower"))}


def test_the_first_pages_say_what_was_not_measured_and_why(glance: Any) -> None:
    words = re.sub(r"\s+", " ", glance.text_content())
    assert "because no CUDA device was found here" in words
    assert "devices: auto" not in words
    assert "Published: 1.21× (report D) to 3.00× (report C)." in words
    # As it was published, 3.61, and not 3.68, the quotient of two times that were rounded.
    assert "Published: 1.83× (report C) to 3.61× (report D)." in words
    assert "compression speed on cpu, 8 of 152" in words
