"""A draft has a box where an answer lacks a record, and is a report in all else."""

from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import ON_CUDA, Inputs, claim, part, plain

PATH = "results/quick/records/kernels/cpu.json"
WHY = (
    "There is no record. “Timing kernels” failed.\nlogs/timing.log:\nepoch one\nerror: no such luck"
)
# What stands in for the record judges none of its claims.
LACKING = claim(
    id="gain.cpu.x", verdict="not measured", evidence=PATH, estimate=None, interval=None
)
# It is about the last question, whose answer reads nothing.
OTHERS = [LACKING | {"question": "lab4-3a"}, ON_CUDA]
# An answer that reads nothing, so that what another one lacks decides.
WORDS = "<p>Words alone.</p>"


def drafted(preset: str = "quick", **inputs: Any) -> str:
    """The HTML of a draft that lacks the record of the first question."""
    given = {"claims": [LACKING, ON_CUDA], "lacked": {PATH: WHY}} | inputs
    return Inputs(**given).render(preset)


def box_of(html: str, question: str) -> str:
    """The text between a question's heading and the next one's."""
    return plain(part(html, f'<section class="answer" id="{question}"'))


def test_the_box_says_what_is_missing_why_and_how_the_log_ends() -> None:
    html = drafted()
    box = box_of(html, "lab4-1a")
    assert "Why so? And?" in box, "the question itself is shown"
    assert f"Missing {PATH} There is no record. “Timing kernels” failed." in box
    assert "logs/timing.log: epoch one error: no such luck" in box
    assert "it takes" not in box
    assert "Not measured on cuda: no CUDA device was found." in box_of(html, "lab4-1b")


def test_other_answers_and_their_verdicts_are_shown_as_in_a_report() -> None:
    lacking = LACKING | {"question": "lab4-1b"}
    html = drafted(claims=[claim(), lacking, ON_CUDA])
    assert "it takes 124\u202fms" in box_of(html, "lab4-1a")
    assert "shown 1 the measurements show what the sentence says." in plain(html)


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
def test_an_answer_that_reads_what_is_missing_is_a_box(reads: str) -> None:
    html = drafted(claims=OTHERS, compile=WORDS, cuda=f"<p>Shown.</p>{reads}", verdict=None)
    assert "This answer could not be written" in box_of(html, "lab4-1b")
    assert "Shown." not in html
    assert "Words alone." in box_of(html, "lab4-1a")


def test_what_one_device_lacks_is_not_missing_for_another() -> None:
    reads = '{{ "No." if not has("gain.cuda.more") }}{{ say("cuda-faster") }}'
    assert "No." in box_of(drafted(compile=WORDS, cuda=reads), "lab4-1b")


def test_a_finding_that_is_missing_makes_a_box_of_its_answer() -> None:
    html = drafted(claims=OTHERS, compile=WORDS)
    assert "there is no claim &#39;faster&#39;" in box_of(html, "lab4-1a")


def test_a_dropped_answer_uses_up_no_numbers_and_leaves_no_dead_links() -> None:
    dropped = '{{ table("steady", columns=["arm"], caption="") }}{{ value("lost") }}'
    reads = """<p>{{ ref("table:steady") }} and {{ ref("table:own") }}</p>
    {{ table("steady", columns=["arm"], caption="", id="own") }}{{ say("cuda-faster") }}"""
    html = drafted(claims=OTHERS, compile=dropped, cuda=reads)
    assert "a table that this draft lacks and Table 1" in box_of(html, "lab4-1b")


def test_the_first_pages_say_what_is_missing() -> None:
    words = plain(drafted())
    assert "UTC, without 1 of 2 records" in words
    assert f"Lab 4, 1a {PATH}" in words
    assert "1a Compilemissing" in words


@pytest.mark.parametrize(
    ("preset", "kind", "words"),
    [
        ("quick", "draft", "DRAFT: NOT THE REPORT"),
        ("smoke", "draft-smoke", "DRAFT: NOT THE REPORT · SMOKE: NOT A RESULT"),
    ],
)
def test_a_draft_is_watermarked(preset: str, kind: str, words: str) -> None:
    html = drafted(preset=preset)
    assert f'<body class="{kind}">' in html
    assert f'role="region" aria-label="Warning">{words}</p>' in html


def test_a_report_says_nothing_of_drafts_and_leaves_nothing_out() -> None:
    assert "raft" not in plain(Inputs().render())
    with pytest.raises(ReportError, match="there is no value 'lost'"):
        Inputs(compile='{{ value("lost") }}').render()


def test_an_opening_that_lacks_a_record_is_left_out() -> None:
    html = drafted(opening='<p>It asks. {{ value("lost") }}</p>')
    assert "It asks." not in html
    assert "Not measured on cuda" in html
