"""The HTML is one accessible file of the evidence; where it cannot be made, an error says why."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest
from lxml.html import document_fromstring  # type: ignore[import-untyped]

from reporting import ReportError
from tests.report.evidence import CUDA, ON_CUDA, Inputs, claim, part, plain


@pytest.fixture(scope="module")
def html() -> str:
    return Inputs().render()


@pytest.fixture(scope="module")
def tree(html: str) -> Any:
    return document_fromstring(html)


def test_the_html_is_self_contained(html: str, tree: Any) -> None:
    assert tree.get("lang")
    assert not tree.xpath("//link | //iframe | //object")
    assert not re.search(r"fetch\(|XMLHttpRequest|import\(|WebSocket|sendBeacon", html)
    assert all(source.startswith("data:") for source in tree.xpath("//@src"))
    assert all(link.startswith(("#", "https://")) for link in tree.xpath("//@href"))
    assert all(url.startswith("data:") for url in re.findall(r'url\(["\']?([^"\')]*)', html))
    assert "@import" not in html


def test_links_lead_somewhere_and_ids_are_unique(tree: Any) -> None:
    ids = tree.xpath("//@id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in tree.xpath("//@href") if link[0] == "#"} <= set(ids)


def test_images_and_tables_are_accessible(tree: Any) -> None:
    assert all(image.get("alt") for image in tree.iter("img"))
    assert all("scope" in header.attrib for header in tree.iter("th"))
    assert all(len(table.findall("caption")) == 1 for table in tree.iter("table"))
    levels = [int(heading.tag[1]) for heading in tree.iter("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    assert all(deeper <= level + 1 for level, deeper in pairwise(levels))


def test_quotes_the_question_and_marks_its_code(html: str) -> None:
    quoted = r"<p>Why <code>so</code>\?</p>\s*<p>And\?</p>"
    assert re.search(rf'<blockquote class="question">\s*{quoted}', html)


def test_code_and_errata_are_shown_as_they_are() -> None:
    listing = '{{ listing("steady", "arm", where={"n": 5}) }}'
    erratum = '{% call erratum("It is <i>") %}<p>So.</p>{% endcall %}'
    html = Inputs(cuda=CUDA + listing + erratum).render()
    assert '<pre class="listing"><code>compiled, cold</code></pre>' in html
    box = part(html, '<div class="erratum" role="note">', "</div>")
    assert "Lab erratum It is &lt;i&gt; So." in plain(box)


def test_values_print_with_their_intervals(html: str) -> None:
    assert "it takes 124\u202fms [122, 126], or 1.27× [1.25, 1.29]" in plain(html)


def test_table_names_units_and_marks_headers(html: str) -> None:
    table = part(html, 'id="table-steady"', "</table>")
    assert "Time\u00a0(ms)" in table
    assert '<th scope="row" class="text">eager</th>' in table
    assert '<td class="number" data-value="0.0975">97.5</td>' in table
    assert '<td class="interval" data-value="0.0961">[96.1, 98.8]</td>' in table


def test_published_values_say_where_they_come_from(html: str) -> None:
    words = plain(html)
    assert "answered elsewhere, on other hardware" in words
    assert "published report Acpu, a laptop “it is so” speedup 1.5×." in words
    assert "No spread is given. Compiled is faster: 1.27× [1.25, 1.29]. shown" in words


def test_a_column_of_numbers_with_an_empty_cell_is_rounded_like_one() -> None:
    steady: list[Sequence[Any]] = [
        ("eager", 1.0, 1.0, 1.0, number, "confirmed", "cpu") for number in (0.0123456789, "")
    ]
    assert ">0.0123</td>" in Inputs(steady=steady).render()


def test_the_id_of_a_table_names_its_selection_and_device() -> None:
    source = """
    {{ ref("table:steady", "200", "cpu") }}
    {{ table("steady", ["arm"], "", device="cpu", where={"n": "200"}) }}
    {{ table("steady", ["arm"], "", device="cuda", id="cold") }}
    """
    html = Inputs(cuda=source).render()
    assert '<a class="ref" href="#table-steady_200_cpu">' in html
    cold = part(html, 'id="table-cold_cuda"', "</table>")
    assert re.findall(r'<th scope="row"[^>]*>([^<]*)', cold) == ["compiled, cold"]


def test_only_smoke_is_watermarked(html: str) -> None:
    words = "SMOKE: NOT A RESULT"
    assert words not in plain(html)
    smoke = Inputs().render(preset="smoke")
    assert words in plain(smoke)
    assert '<body class="smoke">' in smoke


def test_what_was_timed_beside_other_work_is_named_where_the_verdicts_begin() -> None:
    words = "samples that count of compilation on cpu."
    most, half = (plain(Inputs(disturbed=count).render()) for count in (34, 33))
    assert words in most and words not in half
    assert most.index(words) < most.index("Is it faster?")


def test_what_was_timed_with_fewer_threads_is_named_first_and_at_its_question() -> None:
    first = "fewer threads than there are cores: compilation on cpu."
    words = "what was timed here had 2 threads fewer than there are cores"
    fewer, none = (plain(Inputs(left=count).render()) for count in (2, 0))
    assert first in fewer and first not in none
    assert fewer.count(words) == 1 and words not in none
    assert fewer.index("the sheet") < fewer.index(words) < fewer.index("See Table")


def test_a_report_from_unlike_processors_says_so_on_its_first_page(html: str) -> None:
    words = "models trained on both differ"
    assert words in plain(Inputs(facts=[("unlike", "Zen 4; Zen 5")]).render())
    assert words not in plain(html)


def test_two_renders_are_the_same(html: str) -> None:
    assert Inputs().render() == html


def test_an_error_names_the_template_that_it_is_in() -> None:
    shared = "{% macro answer() %}\n{{ value('gone') }}\n{% endmacro %}"
    imports = "{% from 'answers/shared.html.j2' import answer %}{{ answer() }}"
    with pytest.raises(ReportError, match=r"shared\.html\.j2, line 2: .*no value 'gone'"):
        Inputs(compile=imports, shared=shared).render()


def answer(source: str) -> dict[str, Any]:
    return {"cuda": f"<p>first line</p>\n{source}"}


TABLE = '{{ table("steady", columns=%s, caption="", id="b") }}'
SIZES = Inputs().lab_sizes
MISSPELT = SIZES | {"lab4-1a": SIZES["lab4-1a"] | {"sizes": {"kernels.shpae": 1}}}
WITHOUT_ONE = {name: size for name, size in SIZES.items() if name != "lab4-3a"}


def with_claim(**changes: Any) -> dict[str, Any]:
    return {"claims": [claim(**changes), ON_CUDA]}


def with_value(*row: Any) -> dict[str, Any]:
    return {"values": [*Inputs().values, row]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (answer('{{ value("gone") }}'), r"cuda\.html\.j2, line 2: .*no value 'gone'"),
        (answer('{{ claim("gone") }}'), "no claim 'gone'"),
        (answer("{{ gone }}"), r"cuda\.html\.j2, line 2: 'gone' is undefined"),
        (answer("{% if %}"), r"cuda\.html\.j2, line 2: "),
        (answer('{{ say("faster", confirms="") }}'), r"line 2: .*argument 'confirms'"),
        (answer('{{ "{gain:miles}" | fill }}'), "line 2: .*only {gain} and {gain:point}"),
        (answer('{{ "{.gone}" | fill(start("a", "b")) }}'), r"no value 'a\.b\.gone'"),
        (answer('{{ "{m:point}" | fill(start("a", m="M")) }}'), "no value 'M'"),
        (answer('{{ figure("gone", caption="", device="cpu") }}'), "no figure 'gone_cpu'"),
        (answer('{{ table("gone", columns=[], caption="") }}'), "no table 'gone'"),
        (answer('{{ table("steady", columns=["x"], caption="") }}'), "no column 'x'"),
        (answer('{{ table("steady", columns=["arm"], caption="") }}'), "'steady' is shown twice"),
        (answer(TABLE % '["arm"], where={"arm": "x"}'), "no row where"),
        (answer(TABLE % '[("arm", "Arm", "ratio")]'), "column 'arm': could not convert"),
        (answer(TABLE % '[("arm", "Arm", "odd")]'), "format 'odd'"),
        (answer('{{ ref("table:gone") }}'), "shows no such table"),
        (answer('{{ ref("gone") }}'), "write 'table:"),
        (answer('{{ math("\\frac{a}{b}", spoken="a") }}'), "lost a backslash"),
        (answer('{{ setting("search.stort") }}'), "there is no setting 'search.stort'"),
        ({"compile": ""}, "no sentence in an answer on 'faster'"),
        ({"lab_sizes": MISSPELT}, r"lab_sizes\.yaml: lab4-1a: 'kernels.shpae'"),
        ({"lab_sizes": WITHOUT_ONE}, "there is no entry for lab4-3a"),
        (answer('{% include "gone" %}'), r"cuda\.html\.j2, line 2: there is no template 'gone'"),
        (with_claim(verdict="maybe"), r"claims\.json: faster: verdict 'maybe'"),
        (with_claim(contradicts=["gone"]), r"claims\.json: faster: 'gone' is missing"),
        (with_claim(other_sizes={"gone": {"a": 1}}), r"claims\.json: faster: 'gone' is missing"),
        (with_claim(other_sizes={"A-slower": {"batch": 1}}), "faster: 'batch' is missing"),
        (with_claim(question="gone"), r"claims\.json: faster: there is no question 'gone'"),
        (with_claim(unit="furlong"), r"claims\.json: faster: unit 'furlong'"),
        (with_value("eager", 1, "", "", "s", ""), r"values\.csv: the name 'eager'"),
        (with_value("x", "much", "", "", "s", ""), r"values\.csv: x: could not convert"),
        (with_value("x", 1, "", ""), r"values\.csv: line 4 does not have 6 columns"),
        ({"alt": " "}, r"iterations\.json: 'alt' is empty"),
    ],
)
def test_what_is_missing_or_wrong_is_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ReportError, match=message):
        Inputs(**changes).render()
