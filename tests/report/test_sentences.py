"""What the answers, the first pages and the contents say follows the verdicts."""

import re
from pathlib import Path
from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import COMPILE, CUDA, ON_CUDA, Inputs, claim, plain


@pytest.mark.parametrize(
    ("verdict", "sentence", "contradicts"),
    [
        # A confirmed claim can contradict a statement too: one that says the opposite.
        ("confirmed", "Compiled is faster: 1.27× [1.25, 1.29].", True),
        ("refuted", "Compiled is slower: 1.27×, [1.25, 1.29].", True),
        (
            "no difference",
            "Compiled is slower: 1.27×, [1.25, 1.29]. There is no difference that matters.",
            True,
        ),
        ("undecided", "Undecided: 1.27× [1.25, 1.29].", False),
        ("not measured", "Not measured on cpu: it was too hot.", False),
    ],
)
def test_the_sentence_follows_the_verdict(
    tmp_path: Path, verdict: str, sentence: str, contradicts: bool
) -> None:
    changed = claim(verdict=verdict, reason="not measured: it was too hot")
    html = Inputs(claims=[changed, ON_CUDA]).render(tmp_path / "inputs")
    finding = html[html.index('<span class="finding') :]
    finding = finding[: finding.index("</p>")]
    assert f'<a class="badge badge-{verdict.replace(" ", "-")}"' in finding
    assert f"{verdict} {sentence}" in plain("<body>" + finding)
    link = 'published otherwise: <a href="#published-lab4-1a-A-slower">report A</a>'
    assert (link in finding) == contradicts


@pytest.mark.parametrize(
    ("changes", "mark"),
    [
        ({}, "checked"),
        ({"interval": [1.25, 1.29]}, "confirmed"),
        ({"contradicts": ["A-slower"]}, "confirmed"),
        ({"verdict": "refuted"}, "refuted"),
    ],
)
def test_what_was_counted_and_leaves_no_doubt_is_checked(
    tmp_path: Path, changes: dict[str, Any], mark: str
) -> None:
    counted = claim(**{"interval": None, "contradicts": []} | changes)
    html = Inputs(claims=[counted, ON_CUDA]).render(tmp_path / "inputs")
    finding = html[html.index('<span class="finding') :]
    assert f'">{mark}</a></span>' in finding[: finding.index("</p>")]


def test_what_is_contradicted_is_quoted_below_the_answer(tmp_path: Path) -> None:
    refuted = claim(verdict="refuted")
    twice = {"compile.html.j2": COMPILE + '<p>{{ say("faster") }}</p>'}
    inputs = Inputs(claims=[refuted, ON_CUDA], answers={"cuda.html.j2": CUDA} | twice)
    html = inputs.render(tmp_path / "inputs")
    row = html[html.index('<tr id="published-lab4-1a-A-slower">') :]
    words = plain("<body>" + row[: row.index("</tr>")])
    assert words.count("“it is so”") == 1
    assert words.count("refuted 1.27×") == 1


def test_in_print_only_contradicted_statements_are_shown(tmp_path: Path) -> None:
    html = Inputs(claims=[claim(contradicts=[]), ON_CUDA]).render(tmp_path / "inputs")
    assert '<table class="plain published screen-only">' in html
    assert "1 published statement on this question" in plain(html)
    assert "(published otherwise" not in html


def test_claims_of_other_machines_are_shown_as_recorded(tmp_path: Path) -> None:
    elsewhere = ON_CUDA | {"verdict": "confirmed", "machine": "big node", "estimate": 1.9}
    elsewhere |= {"interval": [1.8, 2.0]}
    html = Inputs(claims=[claim(), ON_CUDA, elsewhere]).render(tmp_path / "inputs")
    words = plain(html)
    assert "Not measured on cuda: no CUDA device was found." in words
    assert "Recorded on big node (cuda): confirmed 1.90× [1.80, 2.00]" in words
    assert 'id="claim-big-node-cuda-faster"' in html


def test_a_verdict_without_a_sentence_shows_the_statement(tmp_path: Path) -> None:
    silent = '<p>{{ say("faster") }}</p>'
    answers = {"compile.html.j2": silent, "cuda.html.j2": CUDA}
    html = Inputs(claims=[claim(), ON_CUDA], answers=answers).render(tmp_path / "inputs")
    assert f"confirmed {claim()['statement']}" in plain(html)


def test_sentences_use_the_start_and_its_short_names(tmp_path: Path) -> None:
    source = """
    {% set at = start("mode", "train", model="A & B", eager=start("eager", "train")) %}
    {{ say(at, "compiled", "faster", confirmed="{model}: {.gain:point}, {eager:point} and
       {eager.first:point} of {gain:point}.") }}
    """
    values = [("mode.train.gain", 2), ("eager.train", 3), ("eager.train.first", 4), ("gain", 5)]
    inputs = Inputs(
        values=[(name, value, "", "", "count", "r.json") for name, value in values],
        claims=[claim(id="mode.train.compiled.faster"), ON_CUDA],
        answers={"compile.html.j2": source, "cuda.html.j2": CUDA},
        verdict="mode.train.compiled.faster",
    )
    html = inputs.render(tmp_path / "inputs")
    assert "A &amp; B: 2, 3 and 4 of 5." in plain(html)


def part(html: str, name: str) -> str:
    """The text of the section or the list with this id."""
    found = html[html.index(f'id="{name}"') :]
    end = re.search("</(section|nav)>", found)
    assert end
    return plain("<body><p " + found[: end.start()])


def test_the_first_pages_say_what_the_answer_says_of_a_questions_verdict(tmp_path: Path) -> None:
    html = Inputs(claims=[claim(verdict="refuted"), ON_CUDA]).render(tmp_path / "inputs")
    first = part(html, "glance")
    assert "refuted 1a Compiled is slower: 1.27×, [1.25, 1.29]." in first
    assert "1 claim was tested here; 1 published statement is contradicted." in first
    assert "1b" not in first, "what was not measured is no finding"
    assert "Not measured: 1 more" in first


def test_a_finding_says_the_interval_that_its_verdict_rests_on(tmp_path: Path) -> None:
    silent = {"compile.html.j2": '<p>{{ say("faster", confirmed="It is.") }}</p>'}
    inputs = Inputs(answers={"cuda.html.j2": CUDA} | silent)
    assert "1a It is. Judged on 1.27× [1.25, 1.29]." in part(
        inputs.render(tmp_path / "inputs"), "glance"
    )


def test_the_largest_contradiction_says_what_was_published_and_what_was_measured(
    tmp_path: Path,
) -> None:
    other = claim(id="other", statement="It is slow.", verdict="refuted")
    html = Inputs(claims=[claim(), other, ON_CUDA]).render(tmp_path / "inputs")
    said = "It is so. (report A) Tested here: It is slow. Measured: 1.27× [1.25, 1.29]."
    assert f"refuted Against what is published. {said}" in part(html, "glance")


def test_the_contents_have_the_verdict_on_every_question(tmp_path: Path) -> None:
    html = Inputs(claims=[claim(verdict="refuted"), ON_CUDA]).render(tmp_path / "inputs")
    assert "refuted 1a Compile not measured 1b Compile on cuda" in part(html, "contents")


def test_a_lab_opens_with_its_own_words_for_a_claim(tmp_path: Path) -> None:
    opening = '<p>It asks. {{ recall("faster", confirmed="It gains {gain:point}.") }}</p>'
    html = Inputs(opening=opening).render(tmp_path / "inputs")
    assert "It asks. confirmed It gains 1.27×. 1a Compile" in plain(html)
    assert "1a Compiled is faster: 1.27×" in part(html, "glance"), "the answer's words stay"


def test_a_finding_that_no_answer_says_is_an_error(tmp_path: Path) -> None:
    inputs = Inputs(answers={"compile.html.j2": "", "cuda.html.j2": CUDA})
    with pytest.raises(ReportError, match="no sentence in an answer on 'faster'"):
        inputs.render(tmp_path / "inputs")


def test_a_family_of_claims_is_a_table_with_a_verdict_a_row(tmp_path: Path) -> None:
    source = """
    {{ family("times", "{}-faster", [("a", "first"), ("b", "second")],
              [("Model", ""), ("Gain", "gain.{}")], caption="Which are faster.") }}
    """
    inputs = Inputs(
        values=[("gain.a", 1.27, 1.25, 1.29, "ratio", "r.json")],
        claims=[claim(id="a-faster"), claim(id="b-faster", verdict="undecided"), ON_CUDA],
        answers={"compile.html.j2": source, "cuda.html.j2": CUDA},
        verdict=None,
    )
    html = inputs.render(tmp_path / "inputs")
    table = html[
        html.index('id="table-times"') : html.index("</section>", html.index("table-times"))
    ]
    words = plain("<body><table " + table)
    assert "first 1.27× [1.25, 1.29] confirmed (published otherwise: report A)" in words
    assert "second – undecided" in words
