"""Numbers as the field writes them: points for differences, one number of digits, per for each."""

import re
from typing import Any

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from labs.records.quantity import NARROW, Quantity
from reporting.evidence import Evidence
from reporting.html import Report
from tests.report import quick
from tests.report.test_templates import SOURCES

EACH = re.compile(
    r"\b(?:bits|reviews|positions|bytes|images|tokens|numbers|[Tt]ime|seconds) an? "
    r"(?:review|second|token|call|batch|operand|number|image|step|trial|epoch)\b"
)
NEGATIVE_SHARE = re.compile(rf"−[\d.]+{NARROW}%|%\s*\[−")
# What was counted and is nearly all, such as 99.995 % of the weights, needs its digits.
MANY_DIGITS = re.compile(rf"\b(?!99\.9)\d\d\.\d\d+{NARROW}%(?!\s*\[)")
RESIDUE = re.compile(r"\b0 of (?:them|which)\b|\b(\d+) [^.;:]*, \1 of which\b")


@pytest.fixture(scope="module")
def document(evidence: Evidence) -> Any:
    html = Report(evidence, quick.ROOT / "report" / "templates", "quick").render("")
    return document_fromstring(html)


@pytest.fixture(scope="module")
def text(document: Any) -> str:
    return re.sub(r"[ \n\u00a0]+", " ", document.body.text_content())


def test_a_difference_of_accuracies_is_in_points(text: str) -> None:
    assert text.count(f"{NARROW}points [") > 40
    assert NEGATIVE_SHARE.findall(text) == []


def test_no_column_of_shares_has_a_difference(document: Any) -> None:
    columns = 0
    for table in document.find_class("data"):
        headers = [header.text_content() for header in table.iterfind("thead/tr/th")]
        for row in table.iterfind("tbody/tr"):
            for header, cell in zip(headers, row, strict=True):
                columns += "pp" in header or "pp" in cell.text_content()
                assert not ("%" in header and cell.text_content().startswith("−"))
    assert columns > 20


def test_every_share_that_can_be_negative_is_named_a_difference(evidence: Evidence) -> None:
    shares = [
        name
        for name, value in evidence.values.items()
        if value.unit == "share"
        if value.value < 0 or (value.bounds and value.bounds[0] < 0)
    ]
    assert shares == []


def test_a_loss_prints_with_the_sign_that_says_worse() -> None:
    gained = Quantity(0.31, 0.28, 0.33, unit="points")
    assert str(gained.as_loss().as_gain()) == f"−31.0{NARROW}points [−33.0, −28.0]"
    assert str(gained.as_gain()) == f"31.0{NARROW}points [28.0, 33.0]"


def test_a_claim_about_a_loss_has_the_sign_of_the_sentences(evidence: Evidence) -> None:
    """Two claims whose numbers are equal, of which one is about a gain."""
    ahead = evidence.claim("pruning.untrained.s50.l1-beats-random").estimate
    lost = evidence.value("pruning.random.untrained.s50.loss")
    assert ahead and ahead.value == pytest.approx(-lost.value)
    assert {lost} == {
        claim.estimate
        for claim in evidence.local.values()
        if claim.estimate and claim.estimate.value == lost.value
    }


def test_accuracies_have_one_number_of_digits(document: Any) -> None:
    sentences = document.xpath("//p | //td[not(ancestor::table[contains(@class, 'published')])]")
    assert [one for one in sentences if MANY_DIGITS.search(one.text_content())] == []


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_each_is_written_per(path: Any) -> None:
    assert EACH.findall(path.read_text(encoding="utf-8")) == []


def test_no_sentence_shows_its_template(text: str) -> None:
    assert [match[0] for match in RESIDUE.finditer(text)] == []


def test_the_rules_are_explained_before_the_first_mark_of_a_finding(document: Any) -> None:
    html = document.body.xpath("string(.)")
    rules = document.get_element_by_id("reading").text_content()
    assert "1\u00a0point" in rules and "90\u00a0%" in rules and "Holm" in rules
    assert "positive is" in rules
    first = document.find_class("finding")[0].text_content()
    assert html.index("Holm") < html.index(first)
