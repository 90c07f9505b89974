"""The PDF is accessible and reproducible, and the renderer's warnings are errors."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2  # type: ignore[import-untyped]
import pytest

from reporting import ReportError, pdf
from reporting.drawing import SVG, inline
from reporting.stylesheet import characters, coded, stylesheet
from tests.report.evidence import REPORT, Inputs


def elements(node: Any) -> Iterator[Any]:
    """The structure elements below a node, in order."""
    kids = node.get("/K")
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


def of_kind(document: pikepdf.Pdf, *kinds: str) -> list[Any]:
    return [found for found in elements(document.Root.StructTreeRoot) if found.S in kinds]


NAMED = ["claims.json", "jobs.csv", "settings.csv"]
FILES = dict.fromkeys(NAMED, b"[]") | {"other.csv": b"nobody names it"}
SCRIPTS = Path(__file__).parents[2] / "scripts"
CSS = stylesheet(REPORT / "style", REPORT / "fonts")


def small(body: str, css: str = "") -> str:
    date = '<meta name="dcterms.created" content="2026-11-20T00:00:00+00:00">'
    head = f"<head><title>t</title>{date}<style>{css}</style></head>"
    return f'<html lang="en">{head}<body>{body}</body></html>'


@pytest.fixture(scope="module")
def html() -> str:
    return Inputs().render(preset="smoke")


@pytest.fixture(scope="module")
def data(html: str) -> bytes:
    return pdf.render(html, FILES)


@pytest.fixture(scope="module")
def document(data: bytes) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(io.BytesIO(data)) as opened:
        yield opened


def test_the_metadata_have_the_title_and_the_time_of_measuring(document: pikepdf.Pdf) -> None:
    assert "Performance engineering" in str(document.docinfo["/Title"])
    assert str(document.docinfo["/CreationDate"]).startswith("D:20261120140322")


def test_pages_are_a4_and_reachable_by_structure(document: pikepdf.Pdf) -> None:
    for number, page in enumerate(document.pages):
        assert [round(float(side)) for side in page.MediaBox] == [0, 0, 595, 842]
        assert page.StructParents == number


def test_bookmarks_follow_the_chapters(document: pikepdf.Pdf) -> None:
    with document.open_outline() as outline:
        titles = {entry.title: [kid.title for kid in entry.children] for entry in outline.root}
    lab = "Lab 4: Performance engineering"
    assert list(titles)[:4] == ["Contents", "How to read this report", "What was found", lab]
    assert titles[lab] == ["1a Compile", "1b Compile on cuda", "3a Formats"]


def test_images_have_alternative_text_and_formulas_are_tagged(document: pikepdf.Pdf) -> None:
    figures = [str(found.Alt) for found in of_kind(document, "/Figure")]
    formulas = [str(found.Alt) for found in of_kind(document, "/Formula")]
    effect = "1.27× [1.25, 1.29]: outside the band of what does not matter"
    assert figures == [effect, "A line that rises."]
    assert formulas == ["t sub e", "k equals T over t sub e"]


def test_other_surroundings_give_the_same_bytes(html: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(html, encoding="utf-8")
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    environment = os.environ | {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    command = [sys.executable, str(SCRIPTS / "render_pdf.py"), "--html", "a.html"]
    command += ["--output", "b/c.pdf", "--attachments", *FILES]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "b" / "c.pdf").read_bytes() == data


def test_the_files_that_the_text_names_are_attached_and_no_others(document: pikepdf.Pdf) -> None:
    assert list(document.attachments) == NAMED
    for name, attached in document.attachments.items():
        file = attached.get_file()
        assert file.read_bytes() == FILES[name]
        created = str(file.obj.Params.CreationDate)
        assert created.startswith("D:20261120140322"), "it is the clock's"


def test_a_file_that_is_named_but_not_given_is_an_error() -> None:
    body = '<code class="attached">gone.csv</code>'
    with pytest.raises(ReportError, match=r"files that are not given: gone\.csv"):
        pdf.render(small(body), FILES)


def test_a_mark_leads_to_its_claim_in_the_html_alone() -> None:
    mark = '<p>It is.&nbsp;<a class="mark mark-shown" href="#claim-a">shown</a></p>'
    with pikepdf.open(io.BytesIO(pdf.render(small(mark, CSS), {}))) as document:
        assert "/Annots" not in document.pages[0]


def text_of(data: bytes) -> str:
    pages = pypdfium2.PdfDocument(data)
    return "".join(page.get_textpage().get_text_range() for page in pages)


def test_an_element_does_not_change_where_lines_break() -> None:
    body = "".join(
        f'<p style="width: {width}pt">The words before an {word} here.</p>'
        for width in range(92, 108, 4)
        for word in ("<span>element</span>", "element")
    )
    text = text_of(pdf.render(small(f"{body}<p>The end.</p>", CSS), {}))
    paragraphs = [paragraph.split() for paragraph in text.split("The ")[1:-1]]
    lines = [paragraph.splitlines() for paragraph in text.split("The ")[1:-1]]
    assert paragraphs == [["words", "before", "an", "element", "here."]] * 8
    assert lines[::2] == lines[1::2]
    assert all(len(one) > 1 for one in lines)


def test_of_a_long_table_and_of_a_detail_print_has_the_name_alone(data: bytes) -> None:
    inputs = Inputs(steady=[(f"arm {n}", 1, "", "", n, "confirmed", "cpu") for n in range(20)])
    inputs.cuda += """{{ table("steady", id="named", where={"n": 5}, columns=["arm"],
                                 caption="Named.", detail=true) }}"""
    html = inputs.render()
    assert (html.count("arm 19<"), html.count("arm 5<")) == (1, 2)
    rendered = pdf.render(html, FILES | {"steady.csv": b""})
    with pikepdf.open(io.BytesIO(rendered)) as document:
        assert list(document.attachments) == [*NAMED, "steady.csv"]
    text = text_of(rendered)
    assert "Table 1 (steady.csv)" in text and "Table 2 (steady.csv)" in text
    assert "arm 19" not in text and "arm 5" not in text
    assert "compiled, cold" in text_of(data), "of a short table"


@pytest.mark.parametrize(("rows", "cut"), [(2, False), (20, True)])
def test_of_a_table_that_print_cuts_it_says_how_many_rows_there_are(rows: int, cut: bool) -> None:
    inputs = Inputs(steady=[(f"arm {n:02}", 1, "", "", n, "confirmed", "cpu") for n in range(rows)])
    inputs.cuda += '{{ table("steady", id="best", columns=["arm"], caption="Best.", first=3) }}'
    text = text_of(pdf.render(inputs.render(), FILES | {"steady.csv": b""}))
    assert ("Here the first" in text, "first 3 of 20; steady.csv has all." in text) == (cut, cut)
    assert ("arm 02" in text, "arm 03" in text) == (cut, False)


@pytest.mark.parametrize(
    ("css", "body", "message"),
    [
        ("", '<img src="data:image/svg+xml,<svg/>">', "no required alt"),
        ("", '<a href="#gone">x</a>', "gone"),
        ("p { colour: red }", "<p>x</p>", "colour"),
        ("", '<img alt="x" src="file:///etc/hostname">', "Failed to load image"),
        ("p { font-family: monospace }", "<p>x</p>", "a font of this machine"),
    ],
)
def test_a_warning_of_the_renderer_is_an_error(css: str, body: str, message: str) -> None:
    with pytest.raises(ReportError, match=message):
        pdf.render(small(body, css), {})


@pytest.mark.parametrize("kind", ["p", "em", "h3", "code", "svg"])
def test_what_one_font_lacks_another_shows_and_what_all_lack_is_a_code(kind: str) -> None:
    host = coded("host✗ Ω\u2007├ Ж \x1b\udcff 実", characters(REPORT / "fonts"))
    body = f"<{kind}>{host}</{kind}>"
    if kind == "svg":
        drawn = f"<text y='9' style=\"font-family: 'IBM Plex Sans'\">{host}</text>"
        body = inline("a", f"<svg xmlns='{SVG}' viewBox='0 0 400 9'>{drawn}</svg>".encode(), "A.")
    text = text_of(pdf.render(small(body, CSS), {}))
    assert "hostU+2717 Ω" in text
    assert "Ж U+001BU+DCFF U+5B9F" in text


def test_the_program_that_renders_html_writes_these_codes(tmp_path: Path) -> None:
    Inputs(alt="A line ✗.").write(tmp_path)
    words = ["--preset=quick", f"--style={REPORT}/style", f"--fonts={REPORT}/fonts"]
    words += [f"--output={tmp_path}/report.html", f"--figures={tmp_path}/figures/iterations.svg"]
    files = ("claims.json", "questions.yaml", "published.yaml", "lab_sizes.yaml", "config.yaml")
    for name in ("tables", "templates", *files):
        words.append(f"--{name.split('.')[0].replace('_', '-')}={tmp_path}/{name}")
    subprocess.run([sys.executable, str(SCRIPTS / "render_html.py"), *words], check=True)
    assert "A line U+2717." in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_needs_a_date() -> None:
    html = small("")
    with pytest.raises(ReportError, match=r"no <meta name=.dcterms\.created"):
        pdf.render(re.sub(r"<meta[^>]*>", "", html), {})
    with pytest.raises(ReportError, match="'yesterday' is not an ISO date"):
        pdf.render(html.replace("2026-11-20T00:00:00+00:00", "yesterday"), {})


def refused(html: str, folder: Path) -> str:
    """What the program says of a file that it makes no PDF of."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / "render_pdf.py", "--html", html, "--output", "c.pdf"],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert not (folder / "c.pdf").exists()
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


def test_no_pdf_is_made_of_half_the_html_or_of_none(html: str, tmp_path: Path) -> None:
    assert refused("gone.html", tmp_path).startswith("error: gone.html ")
    (tmp_path / "half.html").write_bytes(html.encode()[: len(html) // 2])
    assert refused("half.html", tmp_path).startswith("error: half.html is damaged (")


def test_no_grid_is_divided_between_pages() -> None:
    """WeasyPrint sets what is left of a row over the head of the next page."""
    css = (REPORT / "style" / "base.css").read_text()
    grids = [rule for rule in re.findall(r"{([^{}]*)}", css) if "display: grid" in rule]
    assert grids
    assert all("break-inside: avoid" in rule for rule in grids)
