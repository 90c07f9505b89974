"""The HTML follows the evidence, and an error names what is missing or wrong."""

import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from reporting import ReportError
from tests.report.evidence import COMPILE, CUDA, ON_CUDA, Inputs, claim


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return Inputs().render(tmp_path_factory.mktemp("report") / "inputs")


class Elements(HTMLParser):
    """Every start tag with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def attributes(self, name: str) -> list[str]:
        return [attrs[name] for _, attrs in self.found if name in attrs]


def plain(html: str) -> str:
    """The text of a document, without its style sheet."""
    body = html[html.index("<body") :]
    words = re.sub(r"<[^>]*>", "", body).replace("\u00a0", " ")
    # Narrow spaces within numbers stay.
    return re.sub(r"\s+", " ", words, flags=re.ASCII)


def test_the_html_is_self_contained(html: str) -> None:
    elements = Elements(html)
    assert "lang" in dict(elements.found)["html"]
    assert not {"link", "iframe", "object"} & {tag for tag, _ in elements.found}
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|WebSocket|sendBeacon", html)
    assert all(source.startswith("data:") for source in elements.attributes("src"))
    assert all(link.startswith(("#", "https://")) for link in elements.attributes("href"))
    assert all(url.startswith("data:") for url in re.findall(r'url\(["\']?([^"\')]*)', html))
    assert "@import" not in html


def test_links_lead_somewhere_and_ids_are_unique(html: str) -> None:
    elements = Elements(html)
    ids = elements.attributes("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in elements.attributes("href") if link[0] == "#"} <= set(ids)


def test_images_and_tables_are_accessible(html: str) -> None:
    elements = Elements(html)
    assert all(attrs.get("alt") for tag, attrs in elements.found if tag == "img")
    assert all("scope" in attrs for tag, attrs in elements.found if tag == "th")
    tables = html.count("<table")
    assert tables == html.count("<caption")
    levels = [int(tag[1]) for tag, _ in elements.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    steps = zip(levels, levels[1:], strict=False)
    assert all(deeper <= level + 1 for level, deeper in steps)


def test_quotes_the_question_and_marks_its_code(html: str) -> None:
    assert re.search(
        r'<blockquote class="question">\s*<p>Why <code>so</code>\?</p>\s*<p>And\?</p>', html
    )


def test_code_and_errata_are_shown_as_they_are(tmp_path: Path) -> None:
    answer = (
        CUDA
        + '{{ listing("steady", "arm", where={"n": 5}) }}'
        + '{% call erratum("It is <i>") %}<p>So.</p>{% endcall %}'
    )
    inputs = Inputs(answers={"compile.html.j2": COMPILE, "cuda.html.j2": answer})
    html = inputs.render(tmp_path / "inputs")
    assert '<pre class="listing"><code>compiled, cold</code></pre>' in html
    box = html[html.index('<div class="erratum" role="note">') :]
    assert "Lab erratum It is &lt;i&gt; So." in plain("<body>" + box[: box.index("</div>")])


def test_a_question_without_an_answer_is_shown(html: str) -> None:
    assert 'id="lab4-3a"' in html
    assert "What of it?" in html
    assert "A kernel." in html
    assert "not answered yet" in plain(html)


def test_values_print_with_their_intervals(html: str) -> None:
    assert "it takes 124\u202fms [122, 126], or 1.27× [1.25, 1.29]" in plain(html)


def test_references_have_numbers(html: str) -> None:
    assert "See Table 1 and Figure 1;" in plain(html)
    assert '<a class="ref" href="#table-steady">' in html


def test_table_names_units_and_marks_headers(html: str) -> None:
    table = html[html.index('<table id="table-steady"') :]
    table = table[: table.index("</table>")]
    assert "Time\u00a0(ms)" in table
    assert '<th scope="row" class="text">eager</th>' in table
    assert '<td class="number">97.5</td>' in table
    assert '<td class="interval">[96.1, 98.8]</td>' in table
    assert '<span class="badge badge-undecided">undecided</span>' in table


def test_published_values_say_where_they_come_from(html: str) -> None:
    words = plain(html)
    assert "answered elsewhere, on other hardware" in words
    assert "published report Acpu, a laptop “it is so” speedup 1.5×." in words
    assert "No spread is given. confirmed 1.27× [1.25, 1.29]" in words


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


def test_a_column_of_numbers_with_an_empty_cell_is_rounded_like_one(tmp_path: Path) -> None:
    steady: list[Sequence[Any]] = [
        ("eager", 1.0, 1.0, 1.0, number, "confirmed", "cpu") for number in (0.0123456789, "")
    ]
    html = Inputs(steady=steady).render(tmp_path / "inputs")
    assert "0.0123" in html
    assert "0.0123456789" not in html


def test_the_id_of_a_table_names_its_selection_and_device(tmp_path: Path) -> None:
    source = """
    {{ ref("table:steady", "200", "cpu") }}
    {{ table("steady", ["arm"], "", device="cpu", where={"n": "200"}) }}
    {{ table("steady", ["arm"], "", device="cuda", id="cold") }}
    """
    answers = {"compile.html.j2": COMPILE, "cuda.html.j2": source}
    html = Inputs(answers=answers).render(tmp_path / "inputs")
    assert '<a class="ref" href="#table-steady_200_cpu">' in html
    cold = html[html.index('<table id="table-cold_cuda"') :]
    assert re.findall(r'<th scope="row"[^>]*>([^<]*)', cold[: cold.index("</table>")]) == [
        "compiled, cold"
    ]


def test_an_error_names_the_template_that_it_is_in(tmp_path: Path) -> None:
    answers = {
        "shared.html.j2": "{% macro answer() %}\n{{ value('gone') }}\n{% endmacro %}",
        "compile.html.j2": "{% from 'answers/shared.html.j2' import answer %}{{ answer() }}",
    }
    with pytest.raises(ReportError, match=r"shared\.html\.j2, line 2: .*no value 'gone'"):
        Inputs(answers=answers).render(tmp_path / "inputs")


def test_only_smoke_is_watermarked(html: str, tmp_path: Path) -> None:
    words = "SMOKE: NOT A RESULT"
    assert words not in plain(html)
    smoke = Inputs().render(tmp_path / "inputs", preset="smoke")
    assert words in plain(smoke)
    assert '<body class="smoke">' in smoke


def test_two_renders_are_the_same(html: str, tmp_path: Path) -> None:
    assert Inputs().render(tmp_path / "elsewhere" / "inputs") == html


def answer(source: str) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.answers["cuda.html.j2"] = "<p>first line</p>\n" + source

    return change


def without_template(inputs: Inputs) -> None:
    del inputs.answers["cuda.html.j2"]


def with_claim(**changes: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.claims[0] |= changes

    return change


def with_value(*row: Any) -> Callable[[Inputs], None]:
    def change(inputs: Inputs) -> None:
        inputs.values.append(row)

    return change


def without_alt(inputs: Inputs) -> None:
    inputs.figure["alt"] = " "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (answer('{{ value("gone") }}'), r"cuda\.html\.j2, line 2: .*no value 'gone'"),
        (answer('{{ claim("gone") }}'), r"cuda\.html\.j2, line 2: .*no claim 'gone'"),
        (answer("{{ gone }}"), r"cuda\.html\.j2, line 2: 'gone' is undefined"),
        (answer("{% if %}"), r"cuda\.html\.j2, line 2: "),
        (
            answer('{{ say("faster", refuted="{gone}") }}'),
            r"cuda\.html\.j2, line 2: .*no value 'gone'",
        ),
        (answer('{{ say("faster", confirms="") }}'), r"line 2: .*argument 'confirms'"),
        (answer('{{ "{gain:miles}" | fill }}'), "line 2: .*use point, interval"),
        (answer('{{ "{.gain}" | fill }}'), r"line 2: .*no value '\.gain'"),
        (answer('{{ "{.gone}" | fill(start("a", "b")) }}'), r"no value 'a\.b\.gone'"),
        (answer('{{ "{m:point}" | fill(start("a", m="M")) }}'), "no value 'M'"),
        (answer('{{ value("gain", gone) }}'), "line 2: 'gone' is undefined"),
        (answer('{{ figure("gone", caption="", device="cpu") }}'), "no figure 'gone_cpu'"),
        (answer('{{ table("gone", columns=[], caption="") }}'), "no table 'gone'"),
        (answer('{{ table("steady", columns=["x"], caption="") }}'), "no column 'x'"),
        (answer('{{ table("steady", columns=["arm"], caption="") }}'), "'steady' is shown twice"),
        (
            answer('{{ table("steady", columns=["arm"], where={"arm": "x"}, caption="") }}'),
            "no row where",
        ),
        (
            answer('{{ table("steady", columns=[("arm", "Arm", "ratio")], caption="", id="b") }}'),
            "column 'arm': could not convert",
        ),
        (
            answer('{{ table("steady", columns=[("arm", "Arm", "odd")], caption="", id="b") }}'),
            "format 'odd'",
        ),
        (answer('{{ ref("table:gone") }}'), "shows no such table"),
        (answer('{{ ref("gone") }}'), "write 'table:"),
        (answer('{{ math("\\frac{a}{b}", spoken="a") }}'), "lost a backslash"),
        (without_template, r"answers/cuda\.html\.j2: there is no template"),
        (with_claim(verdict="maybe"), r"claims\.json: faster: verdict 'maybe'"),
        (with_claim(contradicts=["gone"]), r"claims\.json: faster: 'gone' is missing"),
        (with_claim(question="gone"), r"claims\.json: faster: there is no question 'gone'"),
        (with_claim(unit="furlong"), r"claims\.json: faster: unit 'furlong'"),
        (with_value("eager", 1, "", "", "s", ""), r"values\.csv: the name 'eager'"),
        (with_value("x", "much", "", "", "s", ""), r"values\.csv: x: could not convert"),
        (with_value("x", 1, "", ""), r"values\.csv: line 4 does not have 6 columns"),
        (without_alt, r"iterations\.json: 'alt' is empty"),
    ],
)
def test_what_is_missing_or_wrong_is_named(
    tmp_path: Path, change: Callable[[Inputs], None], message: str
) -> None:
    inputs = Inputs()
    change(inputs)
    with pytest.raises(ReportError, match=message):
        inputs.render(tmp_path / "inputs")
