"""The answers as a reader meets them: on a real run, and under verdicts that it did not have."""

import random
import re
from dataclasses import replace
from itertools import groupby
from typing import Any

import pytest
import yaml
from lxml.html import fragment_fromstring  # type: ignore[import-untyped]

from labs.claims.claim import NOT_MEASURED, VERDICTS, Verdict
from labs.records.quantity import NARROW
from reporting.evidence import Evidence
from reporting.html import Report
from tests.report import quick

REPORT = quick.ROOT / "report"
TEMPLATES = REPORT / "templates"
QUESTIONS = [
    question["id"]
    for question in yaml.safe_load((REPORT / "questions.yaml").read_text(encoding="utf-8"))
]
LABS = sorted({question.partition("-")[0] for question in QUESTIONS})
MOST_WORDS = 120
MOST_WORDS_OF_AN_OPENING = 150
MOST_VERDICTS_IN_A_ROW = 3
IMAGINED = 8
"""Sets of verdicts, drawn at random."""


def answers(evidence: Evidence) -> dict[str, "Words"]:
    """The words of every answer, by its question, and of every opening, by its lab."""
    chapters = Report(evidence, TEMPLATES, "quick").chapters()
    sections = [section for chapter in chapters for section in chapter.sections]
    openings = {f"lab{chapter.lab}": Words(str(chapter.opening)) for chapter in chapters}
    return openings | {section.question.id: Words(str(section.answer)) for section in sections}


def judged(evidence: Evidence, verdicts: list[Verdict], rng: random.Random) -> Evidence:
    """The same evidence, with one of these verdicts on each claim that was measured."""
    claims = (
        claim if claim.verdict == NOT_MEASURED else replace(claim, verdict=rng.choice(verdicts))
        for claim in evidence.claims
    )
    return replace(evidence, claims=tuple(claims))


@pytest.fixture(scope="module")
def imagined(evidence: Evidence) -> list[dict[str, "Words"]]:
    """The answers of this run, and those that other verdicts would have given."""
    rng = random.Random(0)
    kinds = [verdict for verdict in VERDICTS if verdict != NOT_MEASURED]
    alike = [judged(evidence, [kind], rng) for kind in kinds]
    mixed = [judged(evidence, kinds, rng) for _ in range(IMAGINED)]
    return [answers(one) for one in (evidence, *alike, *mixed)]


class Words:
    """The words of an answer, without marks, small print, tables and figures.

    `pieces` are, in order: "" for a sentence with a verdict, and the words of everything else.
    `short` is the short answer, without its intervals, numbers and units joined. A sentence is kept
    with what stands before it, which may tell it from another: the name of a number format.
    """

    def __init__(self, html: str) -> None:
        self.sentences: list[str] = []
        self.before: list[str] = []
        self.pieces: list[str] = []
        root = fragment_fromstring(html, create_parent=True)
        _drop(
            root,
            "descendant::*[starts-with(@class, 'mark') or @class = 'aside' or @class = 'differs']",
        )
        self._read(root)
        _drop(root, "descendant::h4 | descendant::*[@class = 'interval']")
        short = root.xpath("string(descendant::*[@class = 'short'])")
        self.short = str(short).replace(NARROW, "")

    def _read(self, element: Any) -> None:
        if element.get("class") == "finding":
            self.before.append(self.pieces[-1] if self.pieces else "")
            self.sentences.append(element.text_content())
            self.pieces.append("")
        elif element.tag in ("table", "figure", "pre"):
            self.pieces.append(element.tag)
        else:
            self._add(element.text)
            for child in element:
                self._read(child)
                self._add(child.tail)

    def _add(self, words: str | None) -> None:
        if words and words.strip():
            self.pieces.append(words.strip())


def _drop(root: Any, path: str) -> None:
    for element in root.xpath(path):
        element.drop_tree()


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_short_answer_is_of_few_words(imagined: list[dict[str, Words]], question: str) -> None:
    lengths = [len(one[question].short.split()) for one in imagined]
    assert min(lengths) > 0, "it has none"
    assert max(lengths) <= MOST_WORDS


@pytest.mark.parametrize("lab", LABS)
def test_an_opening_is_at_most_150_words(imagined: list[dict[str, Words]], lab: str) -> None:
    words = [one[lab] for one in imagined]
    lengths = [len(" ".join([*one.pieces, *one.sentences]).split()) for one in words]
    assert min(lengths) > 0
    assert max(lengths) <= MOST_WORDS_OF_AN_OPENING


@pytest.mark.parametrize("question", [*QUESTIONS, *LABS])
def test_verdicts_are_not_a_list(imagined: list[dict[str, Words]], question: str) -> None:
    for one in imagined:
        rows = [len([*row]) for piece, row in groupby(one[question].pieces) if not piece]
        assert max(rows, default=0) <= MOST_VERDICTS_IN_A_ROW


@pytest.mark.parametrize("question", [*QUESTIONS, *LABS])
def test_no_sentence_is_twice_or_unfilled(imagined: list[dict[str, Words]], question: str) -> None:
    for words in (one[question] for one in imagined):
        said = [re.sub(r"\s+", " ", sentence).strip() for sentence in words.sentences]
        assert [sentence for sentence in said if not re.search(r"\w.*[.:]$", sentence)] == []
        assert [sentence for sentence in said if re.search(r"[{}]|\.\.|\s[.,;]", sentence)] == []
        placed = list(zip(words.before, said, strict=True))
        assert [sentence for sentence in placed if placed.count(sentence) > 1] == []


def test_every_number_compared_is_measured_on_a_cpu_or_needs_a_gpu(evidence: Evidence) -> None:
    document = yaml.safe_load((REPORT / "published.yaml").read_text(encoding="utf-8"))
    names = {row["here"] for row in document["compared"]}
    assert {name for name in names - evidence.values.keys() if ".cuda." not in name} == set()
