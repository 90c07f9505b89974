"""Tables and figures are numbered in the order in which they stand in the document."""

import pytest

from reporting import ReportError
from reporting.evidence import Evidence
from reporting.html import Report
from reporting.numbering import caption_number, numbered, ref
from tests.report import quick

TEMPLATES = quick.ROOT / "report" / "templates"


def table(name: str) -> str:
    return f'<table id="table-{name}">{caption_number("table", name)}</table>'


def test_tables_and_figures_are_numbered_each_in_order_of_appearance() -> None:
    figure = f'<figure id="figure-a">{caption_number("figure", "a")}</figure>'
    html = f"{ref('table:b', 'cpu')} {table('a')}{figure}{table('b_cpu')}"
    words = numbered(html).replace("\u00a0", " ")
    assert words.startswith('<a class="ref" href="#table-b_cpu">Table 2</a> ')
    assert 'id="table-a">1</table><figure id="figure-a">1</figure>' in words
    assert words.endswith('<table id="table-b_cpu">2</table>')


def test_a_number_may_be_printed_twice_but_not_an_id() -> None:
    twice = f"{caption_number('table', 'a')}{table('a')}"
    assert numbered(twice) == '1<table id="table-a">1</table>'
    with pytest.raises(ReportError, match="table 'a' is shown twice"):
        numbered(table("a") + table("a"))


def test_a_reference_to_what_is_not_shown_is_an_error_but_in_a_draft() -> None:
    with pytest.raises(ReportError, match="the report shows no such figure"):
        numbered(ref("figure:gone"))
    assert numbered(ref("figure:gone"), complete=False) == "a figure that this draft lacks"


def test_a_report_that_is_rendered_twice_is_the_same(evidence: Evidence) -> None:
    report = Report(evidence, TEMPLATES, "quick")
    first = report.render("")
    assert report.chapters() == report.chapters()
    assert report.render("") == first
    assert "<!--" not in first
