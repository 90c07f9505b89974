"""Formulas become images with alternative text; one that lost its backslashes is refused."""

import re

import pytest

from reporting import ReportError
from reporting.math import math


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
