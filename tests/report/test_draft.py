"""A draft has a box where an answer lacks a record, and is a report in all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reporting.missing import Job, Missing
from tests.report.evidence import COMPILE, CUDA, ON_CUDA, Inputs, claim, plain

FAILED = Job("Timing kernels on cpu", "failed", "logs/timing.log", "error: no such luck")
MADE = "2026-11-22T10:00:00+00:00"
# An answer that reads nothing, so that what another one lacks decides.
WORDS = "<p>Words alone.</p>"


def missing(**changes: Any) -> Missing:
    """A missing record, from which nothing comes unless it is said."""
    nothing: dict[str, Any] = dict.fromkeys(("questions", "subjects", "tables", "figures"), ())
    given = {"path": "records/kernels.json", "why": "There is no record.", "jobs": [FAILED]}
    return Missing(**{**nothing, **given, "device": None} | changes)


def drafted(folder: Path, *lacked: Missing, preset: str = "quick", **inputs: Any) -> str:
    """The HTML of a draft that lacks these records, of which there would be five."""
    return Inputs(draft=(MADE, 5, lacked), **inputs).render(folder / "inputs", preset)


def box_of(html: str, question: str) -> str:
    """The text between a question's heading and the next one's."""
    section = html[html.index(f'<section class="answer" id="{question}"') :]
    return plain("<body>" + section[: section.index("</section>")])


def test_the_box_says_what_is_missing_why_and_how_the_log_ends(tmp_path: Path) -> None:
    html = drafted(tmp_path, missing(questions=["lab4-1a"]))
    box = box_of(html, "lab4-1a")
    assert "Why so? And?" in box, "the question itself is shown"
    assert "Missing records/kernels.json There is no record." in box
    assert "“Timing kernels on cpu” failed." in box
    assert "The last lines of its log logs/timing.log: error: no such luck" in box
    assert "it takes" not in box


def test_other_answers_are_shown_as_in_a_report(tmp_path: Path) -> None:
    html = drafted(tmp_path, missing(questions=["lab4-1b"]))
    assert "it takes 124\u202fms" in box_of(html, "lab4-1a")


@pytest.mark.parametrize(
    ("reads", "lacked"),
    [
        ('{{ value("gain") }}', {"subjects": ["gain"]}),
        ('{{ say("faster") }}', {"subjects": ["faster"]}),
        ('{{ table("steady", columns=["arm"], caption="") }}', {"tables": ["steady"]}),
        ('{{ figure("iterations", caption="") }}', {"figures": ["iterations"]}),
        # It would be left out silently.
        ('{% if has("gain.more") %}More.{% endif %}', {"subjects": ["gain"]}),
    ],
)
def test_an_answer_that_reads_what_is_missing_is_a_box(
    tmp_path: Path, reads: str, lacked: dict[str, list[str]]
) -> None:
    answers = {"compile.html.j2": WORDS, "cuda.html.j2": f"<p>Shown.</p>{reads}"}
    html = drafted(tmp_path, missing(**lacked), answers=answers, verdict=None)
    assert "Missing records/kernels.json" in box_of(html, "lab4-1b")
    assert "Shown." not in html
    assert "Words alone." in box_of(html, "lab4-1a")


def test_a_finding_that_is_missing_makes_a_box_of_its_answer(tmp_path: Path) -> None:
    answers = {"compile.html.j2": WORDS, "cuda.html.j2": CUDA}
    html = drafted(tmp_path, missing(subjects=["faster"]), answers=answers)
    assert "Missing records/kernels.json" in box_of(html, "lab4-1a")


def test_a_dropped_answer_uses_up_no_numbers_and_leaves_no_dead_links(tmp_path: Path) -> None:
    dropped = '{{ table("steady", columns=["arm"], caption="") }}{{ value("lost") }}'
    reads = """<p>{{ ref("table:steady") }} and {{ ref("table:own") }}</p>
    {{ table("steady", columns=["arm"], caption="", id="own") }}{{ say("cuda-faster") }}"""
    answers = {"compile.html.j2": dropped, "cuda.html.j2": reads}
    html = drafted(tmp_path, missing(subjects=["lost"]), answers=answers)
    assert "a table that this draft lacks and Table 1" in box_of(html, "lab4-1b")


def test_the_first_pages_say_what_is_missing(tmp_path: Path) -> None:
    words = plain(drafted(tmp_path, missing(questions=["lab4-1a"])))
    assert "2026-11-22 10:00 UTC, without 1 of 5 records" in words
    assert "Lab 4, 1a records/kernels.json" in words
    assert "missing 1a Compile" in words


def test_a_draft_without_a_missing_record_says_so(tmp_path: Path) -> None:
    words = plain(drafted(tmp_path))
    assert "Nothing is missing" in words
    assert "make report PRESET=quick makes the report" in words
    assert "it takes 124\u202fms" in words


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


def test_a_report_says_nothing_of_drafts(tmp_path: Path) -> None:
    assert "raft" not in plain(Inputs().render(tmp_path / "inputs"))


def test_what_one_device_lacks_is_not_missing_for_another() -> None:
    on_cpu = missing(device="cpu", subjects=["attention"], tables=["time"], figures=["time_cpu"])
    assert on_cpu.says("attention.cpu.speedup") and not on_cpu.says("attention.cuda.speedup")
    assert on_cpu.fills("time", "cpu") and not on_cpu.fills("time", "cuda")
    assert on_cpu.fills("time", None), "rows of every device"
    assert on_cpu.draws("time_cpu") and not on_cpu.draws("time_cuda")


def test_one_record_for_all_devices_is_missing_for_each() -> None:
    lora = missing(subjects=["lora"], tables=["lora_arms"])
    assert lora.says("lora.rank") and lora.fills("lora_arms", "cpu")
    assert not lora.says("loops.rank") and not lora.fills("loops", None)


def test_claims_that_are_there_keep_their_verdicts(tmp_path: Path) -> None:
    answers = {"compile.html.j2": COMPILE, "cuda.html.j2": CUDA}
    lacked = missing(questions=["lab4-1b"])
    html = drafted(tmp_path, lacked, answers=answers, claims=[claim(), ON_CUDA])
    assert "confirmed 1 the measurements show it." in plain(html)


def test_an_opening_that_lacks_a_record_is_left_out(tmp_path: Path) -> None:
    lacked = missing(subjects=["gain"])
    opening = '<p>It asks. {{ value("gain") }}</p>'
    answers = {"compile.html.j2": WORDS, "cuda.html.j2": CUDA}
    html = drafted(tmp_path, lacked, opening=opening, answers=answers, verdict=None)
    assert "It asks." not in html
    assert "Words alone." in html
