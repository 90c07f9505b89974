"""A draft has a box where an answer lacks a record, and is a report in all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import COMPILE, CUDA, ON_CUDA, Inputs, claim, plain

PATH = "results/quick/records/kernels/cpu.json"
WHY = (
    "There is no record. “Timing kernels” failed.\nlogs/timing.log:\nepoch one\nerror: no such luck"
)
# What stands in for the record judges none of its claims.
LACKING = claim(
    id="gain.cpu.x", verdict="not measured", evidence=PATH, estimate=None, interval=None
)
# An answer that reads nothing, so that what another one lacks decides.
WORDS = "<p>Words alone.</p>"


def drafted(folder: Path, preset: str = "quick", **inputs: Any) -> str:
    """The HTML of a draft that lacks the record of the first question."""
    given = {"claims": [LACKING, ON_CUDA], "lacked": {PATH: WHY}} | inputs
    return Inputs(**given).render(folder / "inputs", preset)


def box_of(html: str, question: str) -> str:
    """The text between a question's heading and the next one's."""
    section = html[html.index(f'<section class="answer" id="{question}"') :]
    return plain("<body>" + section[: section.index("</section>")])


def test_the_box_says_what_is_missing_why_and_how_the_log_ends(tmp_path: Path) -> None:
    html = drafted(tmp_path)
    box = box_of(html, "lab4-1a")
    assert "Why so? And?" in box, "the question itself is shown"
    assert f"Missing {PATH} There is no record. “Timing kernels” failed." in box
    assert "logs/timing.log: epoch one error: no such luck" in box
    assert "it takes" not in box
    assert "Not measured on cuda: no CUDA device was found." in box_of(html, "lab4-1b")


def test_other_answers_and_their_verdicts_are_shown_as_in_a_report(tmp_path: Path) -> None:
    lacking = LACKING | {"question": "lab4-1b"}
    html = drafted(tmp_path, claims=[claim(), lacking, ON_CUDA])
    assert "it takes 124\u202fms" in box_of(html, "lab4-1a")
    assert "confirmed 1 the measurements show it." in plain(html)


@pytest.mark.parametrize(
    "reads",
    [
        '{{ value("gain.cpu.lost") }}',
        '{{ say("gain.cpu.lost") }}',
        '{{ table("steady", where={"arm": "lost"}, columns=["arm"], caption="") }}',
        # It would be left out silently.
        '{% if has("gain.cpu.more") %}More.{% endif %}',
    ],
)
def test_an_answer_that_reads_what_is_missing_is_a_box(tmp_path: Path, reads: str) -> None:
    lacking, cuda = LACKING | {"question": "lab4-3a"}, ON_CUDA
    answers = {"compile.html.j2": WORDS, "cuda.html.j2": f"<p>Shown.</p>{reads}"}
    html = drafted(tmp_path, claims=[lacking, cuda], answers=answers, verdict=None)
    assert "Missing a record of another question" in box_of(html, "lab4-1b")
    assert "Shown." not in html
    assert "Words alone." in box_of(html, "lab4-1a")


def test_what_one_device_lacks_is_not_missing_for_another(tmp_path: Path) -> None:
    answers = {"compile.html.j2": WORDS}
    answers["cuda.html.j2"] = '{{ "No." if not has("gain.cuda.more") }}{{ say("cuda-faster") }}'
    html = drafted(tmp_path, answers=answers)
    assert "No." in box_of(html, "lab4-1b")


def test_a_finding_that_is_missing_makes_a_box_of_its_answer(tmp_path: Path) -> None:
    answers = {"compile.html.j2": WORDS, "cuda.html.j2": CUDA}
    html = drafted(tmp_path, claims=[LACKING | {"question": "lab4-3a"}, ON_CUDA], answers=answers)
    assert "there is no claim &#39;faster&#39;" in box_of(html, "lab4-1a")


def test_a_dropped_answer_uses_up_no_numbers_and_leaves_no_dead_links(tmp_path: Path) -> None:
    dropped = '{{ table("steady", columns=["arm"], caption="") }}{{ value("lost") }}'
    reads = """<p>{{ ref("table:steady") }} and {{ ref("table:own") }}</p>
    {{ table("steady", columns=["arm"], caption="", id="own") }}{{ say("cuda-faster") }}"""
    answers = {"compile.html.j2": dropped, "cuda.html.j2": reads}
    claims = [LACKING | {"question": "lab4-3a"}, ON_CUDA]
    html = drafted(tmp_path, claims=claims, answers=answers)
    assert "a table that this draft lacks and Table 1" in box_of(html, "lab4-1b")


def test_the_first_pages_say_what_is_missing(tmp_path: Path) -> None:
    words = plain(drafted(tmp_path))
    assert "UTC, without 1 of 2 records" in words
    assert f"Lab 4, 1a {PATH}" in words
    assert "missing 1a Compile" in words


@pytest.mark.parametrize(
    ("preset", "kind", "words"),
    [
        ("quick", "draft", "DRAFT: NOT THE REPORT"),
        ("smoke", "draft-smoke", "DRAFT: NOT THE REPORT · SMOKE: NOT A RESULT"),
    ],
)
def test_a_draft_is_watermarked(tmp_path: Path, preset: str, kind: str, words: str) -> None:
    html = drafted(tmp_path, preset=preset)
    assert f'<body class="{kind}">' in html
    assert f'role="region" aria-label="Warning">{words}</p>' in html


def test_a_report_says_nothing_of_drafts_and_leaves_nothing_out(tmp_path: Path) -> None:
    assert "raft" not in plain(Inputs().render(tmp_path / "inputs"))
    answers = {"compile.html.j2": '{{ value("lost") }}'}
    with pytest.raises(ReportError, match="there is no value 'lost'"):
        Inputs(answers=answers).render(tmp_path / "others")


def test_an_opening_that_lacks_a_record_is_left_out(tmp_path: Path) -> None:
    opening = '<p>It asks. {{ value("lost") }}</p>'
    answers = {"compile.html.j2": COMPILE, "cuda.html.j2": CUDA}
    html = drafted(tmp_path, opening=opening, answers=answers)
    assert "It asks." not in html
    assert "Not measured on cuda" in html
