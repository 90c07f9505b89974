"""What is said follows the verdicts, and only what is alike is said to contradict."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from labs.analysis import published
from labs.claims.conditions import differing
from reporting.evidence import Evidence
from reporting.html import Report
from reporting.sentences import read
from tests.report import quick
from tests.report.evidence import COMPILE, CUDA, ON_CUDA, Inputs, claim, part, plain
from tests.shipped import SHIPPED, leaves


@pytest.mark.parametrize(
    ("verdict", "sentence", "mark", "contradicts"),
    [
        # A confirmed claim can contradict a statement too: one that says the opposite.
        ("confirmed", "Compiled is faster: 1.27× [1.25, 1.29].", "shown", True),
        ("refuted", "Compiled is slower: 1.27×.", "shown", True),
        (
            "no difference",
            "Compiled is slower: 1.27×. There is no difference that matters.",
            "no difference",
            True,
        ),
        ("undecided", "Undecided: 1.27× [1.25, 1.29]. (It was too hot.)", "open", False),
        (
            "not measured",
            "Not measured, as it was too hot: Compiled is faster.",
            "not measured",
            False,
        ),
    ],
)
def test_the_sentence_and_its_mark_follow_the_verdict(
    verdict: str, sentence: str, mark: str, contradicts: bool
) -> None:
    changed = claim(verdict=verdict, reason="it was too hot")
    html = Inputs(claims=[changed, ON_CUDA]).render()
    finding = part(html, '<span class="finding', "</p>")
    assert f'<a class="mark mark-{mark.replace(" ", "-")}"' in finding
    assert plain(finding).startswith(f"{sentence} {mark}")
    link = '<a class="differs" href="#published-lab4-1a-A-slower">≠ report A</a>'
    assert (link in finding) == contradicts


def test_a_short_answer_says_once_what_would_decide_it() -> None:
    open_ones = [claim(id=name, verdict="undecided") for name in ("faster", "smaller")]
    said = '<p>{{ say("faster") }} {{ say("smaller") }}</p>'
    html = Inputs(
        claims=[*open_ones, ON_CUDA], compile="{% call short() %}" + said + "{% endcall %}" + said
    ).render()
    assert part(html, '<div class="short">', "</div>").count("data-decides") == 1
    assert html.count("data-decides>") == 3


@pytest.mark.parametrize("verdict", ["confirmed", "refuted"])
def test_what_was_counted_is_marked_so_whether_the_claim_holds_or_not(verdict: str) -> None:
    html = Inputs(claims=[claim(interval=None, verdict=verdict), ON_CUDA]).render()
    assert '">counted</a>' in part(html, '<span class="finding', "</p>")


def test_what_is_contradicted_is_quoted_below_the_answer() -> None:
    twice = COMPILE + '<p>{{ say("faster") }}</p>'
    html = Inputs(claims=[claim(verdict="refuted"), ON_CUDA], compile=twice).render()
    words = plain(part(html, 'id="published-lab4-1a-A-slower"', "</tr>"))
    assert words.count("“it is so”") == 1
    assert words.count("Compiled is slower: 1.27×.") == 1


def test_in_print_only_contradicted_statements_are_shown() -> None:
    html = Inputs(claims=[claim(contradicts=[]), ON_CUDA]).render()
    assert '<table class="plain published screen-only">' in html
    assert "In the HTML 1 published statement that nothing here contradicts." in plain(html)
    assert "≠ report A" not in plain(html.replace(part(html, 'id="reading"'), ""))


def test_claims_of_other_machines_are_shown_as_recorded() -> None:
    there = {"verdict": "confirmed", "machine": "big node", "estimate": 1.9, "interval": [1.8, 2.0]}
    on_its_gpu = ON_CUDA | there | {"id": "cuda.faster"}
    html = Inputs(
        claims=[claim(), claim(**there), ON_CUDA, on_its_gpu],
        cuda=CUDA + '{{ recorded_elsewhere("cuda") }}',
    ).render()
    words = plain(html)
    assert "Recorded on big node (cpu): confirmed 1.90× [1.80, 2.00]" in words
    # Where nothing was measured here, they stand in a table, with their words.
    assert "Not measured on cuda: no CUDA device was found." in words
    assert f"{ON_CUDA['statement']} 1.90× [1.80, 2.00] confirmed" in words
    assert 'id="claim-big-node-cuda.faster"' in html


def test_a_confirmed_claim_without_a_sentence_shows_the_statement() -> None:
    html = Inputs(compile='<p>{{ say("faster") }}</p>').render()
    assert f"{claim()['statement']} shown" in plain(html)


def test_a_verdict_without_a_sentence_says_that_the_statement_fails() -> None:
    refuted = claim(verdict="refuted")
    html = Inputs(claims=[refuted, ON_CUDA], compile='<p>{{ say("faster") }}</p>').render()
    assert f"This does not hold: {refuted['statement']} shown" in plain(html)


def test_sentences_use_the_start_and_its_short_names() -> None:
    source = """
    {% set at = start("mode", "train", model="A & B", eager=start("eager", "train")) %}
    {{ say(at, "compiled", "faster", confirmed="{model}: {.gain:point}, {eager:point} and
       {eager.first:point} of {gain:point}.") }}
    """
    values = [("mode.train.gain", 2), ("eager.train", 3), ("eager.train.first", 4), ("gain", 5)]
    inputs = Inputs(
        values=[(name, value, "", "", "count", "r.json") for name, value in values],
        claims=[claim(id="mode.train.compiled.faster"), ON_CUDA],
        compile=source,
        verdict="mode.train.compiled.faster",
    )
    assert "A &amp; B: 2, 3 and 4 of 5." in plain(inputs.render())


def glance(html: str) -> str:
    return plain(part(html, 'id="glance"'))


def test_the_first_pages_say_what_the_answer_says_of_a_questions_verdict() -> None:
    first = glance(Inputs(claims=[claim(verdict="refuted"), ON_CUDA]).render())
    assert "1a Is it faster? Compiled is slower: 1.27×. Judged on 1.27× [1.25, 1.29]." in first
    assert "shown ≠ report A 1b Compile on cuda Not measured on cuda: no CUDA device" in first
    assert "Not measured: 1 because no CUDA device was found." in first


def test_other_findings_of_an_answer_that_differ_are_named_too() -> None:
    other = claim(id="other", statement="It is slow.", verdict="refuted")
    twice = COMPILE + '<p>{{ say("other") }}</p>'
    claims = [claim(contradicts=[]), other, ON_CUDA]
    html = Inputs(claims=claims, compile=twice).render()
    assert "Elsewhere in the answer: ≠ report A on speed." in glance(html)


def test_the_contents_say_what_was_found_in_every_question() -> None:
    html = Inputs(claims=[claim(verdict="refuted"), ON_CUDA]).render()
    words = "1a Compilenot faster 1b Compile on cudanot measured"
    assert words in plain(part(html, 'id="contents"', "</nav>"))


def test_a_family_of_claims_is_a_table_with_a_verdict_a_row() -> None:
    source = """
    {{ family("times", "{}-faster", [("a", "first"), ("b", "second")],
              [("Model", ""), ("Gain", "gain.{}")], caption="Which are faster.",
              finding="It is", confirmed="faster", refuted="slower") }}
    """
    inputs = Inputs(
        values=[("gain.a", 1.27, 1.25, 1.29, "ratio", "r.json")],
        claims=[claim(id="a-faster"), claim(id="b-faster", verdict="undecided"), ON_CUDA],
        compile=source,
        verdict=None,
    )
    words = plain(part(inputs.render(), 'id="table-times"', "</table>"))
    assert "first 1.27× [1.25, 1.29] faster shown ≠ report A" in words
    assert "second – open" in words


@pytest.mark.parametrize(("low", "said"), [(-0.1, False), (0.1, True)])
def test_a_family_names_rows_that_only_the_others_leave_open(low: float, said: bool) -> None:
    source = """
    {{ family("gains", "{}-better", [("a", "first")], [("Model", "")], caption="Better?",
              finding="It is", confirmed="better", refuted="worse") }}
    """
    held_back = claim(id="a-better", verdict="undecided", estimate=0.2, interval=[low, 0.3])
    inputs = Inputs(claims=[held_back, ON_CUDA], compile=source, verdict=None)
    words = plain(part(inputs.render(), 'id="table-gains"', "</table>"))
    assert ("stay open though their own intervals leave out zero: first." in words) == said


def test_of_a_claim_the_first_sentence_is_read_and_no_comment_is_left() -> None:
    first, second = (f"<!--said:a-->{words}<!--/said-->" for words in ("It\nis.", "So."))
    answer = read(
        f"<p>{first} <!--shows:b-->{second}<!--shows:b--><!--row:c:Five.-->"
        "<!--omitted:T/omitted--></p>"
    )
    html = '<p><span id="said-a">It\nis.</span> So.<span id="said-c"></span></p>'
    assert answer == (html, {"a": "It\nis.", "c": "Five."}, ["b"], ["T"])


def test_an_answer_shows_claims_on_its_own_question(evidence: Evidence) -> None:
    """The links to who has published otherwise lead to the table below that answer."""
    report = Report(evidence, quick.ROOT / "report" / "templates", "quick")
    for question in evidence.questions:
        answer = read(report.fill_template(question.answer, question=question))
        assert {evidence.claim(id).question for id in answer.claims} == {question.id}


PUBLISHED = yaml.safe_load((quick.ROOT / "report" / "published.yaml").read_text())["statements"]

Row = dict[str, Any]

OF_ALL = {name: SHIPPED[name] for name in ("data", "model")}
SETTINGS = dict(leaves(SHIPPED["presets"]["quick"] | OF_ALL)).keys()


@pytest.fixture
def claims(folder: Path) -> list[Row]:
    found: list[Row] = json.loads((folder / "claims.json").read_text())
    return found


def test_every_contradiction_is_at_conditions_that_agree(claims: list[Row]) -> None:
    differ = {
        (one["id"], name, key): bool(differing(one["conditions"], published.conditions(name)))
        for one in claims
        for key in ("contradicts", "other_sizes")
        for name in one[key]
    }
    assert {key for _, _, key in differ} == {"contradicts", "other_sizes"}
    assert [found for found, does in differ.items() if does != (found[2] == "other_sizes")] == []


def test_claims_and_published_statements_name_settings_that_exist(claims: list[Row]) -> None:
    named = {name for one in (*claims, *PUBLISHED) for name in one.get("conditions", {})}
    assert named <= SETTINGS


OTHER = {
    "verdict": "refuted",
    "contradicts": [],
    "conditions": {"batch": 1},
    "other_sizes": {"A-slower": {"batch": [64, 128]}},
}


def test_a_statement_at_other_sizes_is_not_contradicted_and_what_differs_is_told() -> None:
    html = Inputs(claims=[claim(**OTHER), ON_CUDA]).render()
    assert "≠ report A" not in plain(html.replace(part(html, 'id="reading"'), ""))
    assert "Elsewhere in the answer" not in plain(html)
    words = plain(part(html, 'id="published-lab4-1a-A-slower"', "</tr>"))
    assert "It is so." in words
    assert "Other sizes: batch 64, 128; here 1" in words


def test_what_another_claim_contradicts_is_contradicted() -> None:
    both = {**OTHER, "contradicts": ["A-slower"], "other_sizes": {}}
    twice = "<p>{{ say('faster') }} {{ say('other') }}</p>"
    claims = [claim(**both), claim(**OTHER, id="other"), ON_CUDA]
    html = Inputs(claims=claims, compile=twice).render()
    words = plain(part(html, 'id="published-lab4-1a-A-slower"', "</tr>"))
    assert "This does not hold: Compiled is faster. Judged on 1.27×" in words
    assert "Other sizes" not in words
