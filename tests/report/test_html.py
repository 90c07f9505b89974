"""The HTML is one accessible file whose tables and values are those of the evidence."""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.report.evidence import COMPILE, CUDA, Inputs, plain


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


def test_only_smoke_is_watermarked(html: str, tmp_path: Path) -> None:
    words = "SMOKE: NOT A RESULT"
    assert words not in plain(html)
    smoke = Inputs().render(tmp_path / "inputs", preset="smoke")
    assert words in plain(smoke)
    assert '<body class="smoke">' in smoke


def test_what_was_timed_beside_other_work_is_named_where_the_verdicts_begin(tmp_path: Path) -> None:
    words = "samples that count of compilation on cpu."
    most, half = (
        plain(Inputs(disturbed=count).render(tmp_path / str(count) / "inputs"))
        for count in (34, 33)
    )
    assert words in most and words not in half
    assert most.index(words) < most.index("A claim is a statement")


def test_what_was_timed_with_fewer_threads_is_named_where_the_verdicts_begin(
    tmp_path: Path,
) -> None:
    words = "fewer threads than there are cores: compilation on cpu."
    one, none = (
        plain(Inputs(left=count).render(tmp_path / str(count) / "inputs")) for count in (1, 0)
    )
    assert words in one and words not in none


def test_a_question_that_was_timed_with_fewer_threads_says_so(tmp_path: Path) -> None:
    words = "what was timed here had 2 threads fewer than there are cores"
    html = plain(Inputs(left=2).render(tmp_path / "inputs"))
    assert html.count(words) == 1
    assert html.index("the sheet") < html.index(words) < html.index("See Table")


def test_two_renders_are_the_same(html: str, tmp_path: Path) -> None:
    assert Inputs().render(tmp_path / "elsewhere" / "inputs") == html
