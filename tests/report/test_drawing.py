"""Drawings become part of the document or images in it; so do formulas."""

import re
import xml.etree.ElementTree as ET

import pytest

from reporting import ReportError
from reporting.drawing import SVG, as_images, inline
from reporting.math import math

DRAWN = (
    b'<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"'
    b' xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9"><metadata>made by</metadata>'
    b'<g id="axes_1"><path id="m1" d="M0 0" style="fill: #aaa"/><use xlink:href="#m1"/>'
    b"<text style=\"font-family: 'IBM Plex Sans'\">5 ms</text></g>"
    b'<g clip-path="url(#p1)"/><clipPath id="p1"/></svg>'
)


def test_two_drawings_share_no_ids() -> None:
    both = inline("a", DRAWN, "A.") + inline("b", DRAWN, "B.")
    assert both.count('id="') == 4
    for name in ("a", "b"):
        assert f'id="{name}-m1"' in both and f'xlink:href="#{name}-m1"' in both
        assert f'id="{name}-p1"' in both and f'clip-path="url(#{name}-p1)"' in both
    assert "#aaa" in both


def test_a_drawing_has_alternative_text_no_metadata_and_the_font_of_the_document() -> None:
    drawn = inline("a", DRAWN, "Five < six.")
    assert "<title>Five &lt; six.</title>" in drawn
    assert "made by" not in drawn
    assert "font-family: 'Report Sans'" in drawn


def test_elements_have_no_prefix_whatever_other_libraries_register() -> None:
    ET.register_namespace("svg", SVG)
    assert inline("a", DRAWN, "A.").startswith("<svg ")


def test_an_image_keeps_the_alternative_text() -> None:
    html = as_images(f"<p>{inline('a', DRAWN, 'Five < six.')}</p>")
    assert html.startswith('<p><img alt="Five &lt; six." src="data:image/svg+xml;base64,')
    assert "<svg" not in html


@pytest.mark.parametrize("data", [b"", b"<html/>"])
def test_a_file_that_is_not_svg_is_named_in_the_error(data: bytes) -> None:
    with pytest.raises(ReportError, match="'speed' is not an SVG file"):
        inline("speed", data, "A.")


def test_a_formula_is_an_image_on_the_baseline() -> None:
    image = math(r"\frac{a}{b}", spoken='a over "b"')
    assert re.search(r'^<img class="math" alt="a over &#34;b&#34;" style="[^"]+"', image)
    shift = re.search(r"vertical-align:(-?[\d.]+)em", image)
    height = re.search(r"height:([\d.]+)em", image)
    assert shift is not None and height is not None
    assert -float(height[1]) < float(shift[1]) < 0


def test_a_display_formula_has_its_own_line() -> None:
    assert math("a", spoken="a", display=True).startswith('<p class="formula">')


@pytest.mark.parametrize(
    ("latex", "spoken", "message"),
    [
        ("a", " ", "no spoken form"),
        ("\frac{a}{b}", "a over b", "lost a backslash"),
        (r"\frac{a", "a", "cannot be drawn"),
    ],
)
def test_refuses(latex: str, spoken: str, message: str) -> None:
    with pytest.raises(ReportError, match=message):
        math(latex, spoken=spoken)
