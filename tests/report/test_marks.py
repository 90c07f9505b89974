"""A mark says how sure the sentence before it is, and no mark stands beside any other sentence."""

import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from labs.claims.claim import NOT_MEASURED, VERDICTS, Claim, Verdict
from reporting.evidence import Evidence
from reporting.html import Report
from tests.report import quick

TEMPLATES = quick.ROOT / "report" / "templates"
STATED = {
    ("confirmed", True): "shown",
    ("refuted", True): "shown",
    ("no difference", True): "no difference",
    ("undecided", True): "open",
    ("confirmed", False): "counted",
    ("refuted", False): "counted",
    ("no difference", False): "no difference",
    ("undecided", False): "open",
    ("not measured", True): "not measured",
    ("not measured", False): "not measured",
}
"""The mark, by the verdict and whether it was reached by an interval."""
LEADS_TO = "claim-"
MOST_WORDS = 8


def under(evidence: Evidence, verdict: Verdict) -> Evidence:
    """The same evidence with one verdict on every claim that was measured."""
    claims = (
        claim if claim.verdict == NOT_MEASURED else replace(claim, verdict=verdict)
        for claim in evidence.claims
    )
    return replace(evidence, claims=tuple(claims))


@pytest.fixture(scope="module")
def documents(evidence: Evidence) -> dict[str, Any]:
    """The whole report under each verdict."""
    return {
        verdict: document_fromstring(
            Report(under(evidence, verdict), TEMPLATES, "quick").render("")
        )
        for verdict in VERDICTS
        if verdict != NOT_MEASURED
    }


def marks(document: Any) -> list[Any]:
    return [mark for mark in document.find_class("mark") if mark.get("href")]


def claim_of(evidence: Evidence, mark: Any) -> Claim:
    by_anchor = {claim.anchor: claim for claim in evidence.local.values()}
    return by_anchor[mark.get("href").removeprefix("#")]


@pytest.mark.parametrize("verdict", [verdict for verdict in VERDICTS if verdict != NOT_MEASURED])
def test_a_mark_follows_from_the_verdict(
    evidence: Evidence, documents: dict[str, Any], verdict: str
) -> None:
    wrong = []
    for mark in marks(documents[verdict]):
        claim = claim_of(evidence, mark)
        reached = NOT_MEASURED if claim.verdict == NOT_MEASURED else verdict
        if mark.text != STATED[reached, claim.has_interval]:
            wrong.append((claim.id, mark.text))
    assert len(marks(documents[verdict])) > 300
    assert wrong == []


def test_no_mark_stands_beside_a_sentence_that_no_verdict_chose(
    evidence: Evidence, documents: dict[str, Any]
) -> None:
    """With another verdict, each place that a claim's mark stands at says something else."""
    said: dict[str, dict[str, list[str]]] = defaultdict(dict)
    loose = []
    for verdict, document in documents.items():
        for mark in marks(document):
            place = next(mark.iterancestors("span", "td", "li"))
            if place.get("class") == "sure":
                place = place.getparent()
            elif place.get("class") not in ("finding", "value"):
                loose.append(mark.get("href"))
            claim = claim_of(evidence, mark)
            if claim.verdict != NOT_MEASURED and place.get("class") != "value":
                text = place.text_content()
                said[claim.id].setdefault(verdict, []).append(re.sub(r"\s+", " ", text))
    alike = {
        claim: texts
        for claim, by_verdict in said.items()
        for texts in zip(*by_verdict.values(), strict=True)
        if len(set(texts)) < len(by_verdict)
    }
    assert loose == []
    assert len(said) > 250
    assert alike == {}


def test_verdicts_stand_where_claims_stand_alone(documents: dict[str, Any]) -> None:
    for document in documents.values():
        badges = document.find_class("badge")
        assert len(badges) > 300
        lists = [list(badge.iterancestors("ul")) for badge in badges]
        assert {above[0].get("class") if above else None for above in lists} == {"claims"}


def test_what_is_open_says_what_would_decide_it(documents: dict[str, Any]) -> None:
    """Each sentence says it, or its short answer, once for all of its sentences."""
    open_marks = [mark for mark in marks(documents["undecided"]) if mark.text == "open"]
    sentences = [
        place
        for mark in open_marks
        for place in mark.iterancestors("span")
        if "finding" in place.classes
    ]
    assert len(sentences) > 200
    unsaid = []
    for sentence in sentences:
        answers = [place for place in sentence.iterancestors() if "short" in place.classes]
        asides = [aside for place in (sentence, *answers) for aside in place.find_class("aside")]
        if not any(re.search("would|budget", aside.text_content()) for aside in asides):
            unsaid.append(sentence.text_content())
    assert unsaid == []


KEYS = dict(zip(VERDICTS, ("confirmed", "refuted", "same", "undecided"), strict=False))


@pytest.mark.parametrize("verdict", [None, *KEYS])
def test_the_contents_say_what_was_found_in_few_words(
    evidence: Evidence, verdict: Verdict | None
) -> None:
    changed = under(evidence, verdict) if verdict else evidence
    sections = [
        section
        for chapter in Report(changed, TEMPLATES, "quick").chapters()
        for section in chapter.sections
    ]
    briefs = {
        section.question.id: section.brief.striptags().replace("\u202f", "").split()
        for section in sections
        if not verdict or KEYS[verdict] in section.question.found
    }
    assert len(briefs) == 25 or verdict in ("no difference", "undecided")
    assert {id: words for id, words in briefs.items() if not 0 < len(words) <= MOST_WORDS} == {}


def test_where_a_statement_differs_its_row_says_what_was_found_and_on_which_page(
    evidence: Evidence,
) -> None:
    document = document_fromstring(Report(evidence, TEMPLATES, "quick").render(""))
    rows = [row for table in document.find_class("published") for row in table.iter("tr")]
    differing = [row for row in rows if row.find_class("page")]
    assert len(differing) > 10
    for row in differing:
        for value in row.find_class("value"):
            [page] = value.find_class("page")
            place = document.get_element_by_id(page.get("href").removeprefix("#"))
            assert value.find_class("mark")
            assert re.search(r"\w{3}", value.text_content().replace("there", ""))
            assert place.tag == "span"


def test_every_published_report_is_introduced_with_its_hardware(evidence: Evidence) -> None:
    document = document_fromstring(Report(evidence, TEMPLATES, "quick").render(""))
    introduced = document.get_element_by_id("reading").text_content()
    for label, hardware in evidence.reports.items():
        assert label in introduced
        assert hardware == "not stated" or hardware in introduced
