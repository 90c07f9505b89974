"""Formulas as images that a browser and a PDF show alike, with words for who hears the page."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from reporting import ReportError
from reporting.data_uri import data_uri

# ziamath lays out in these units; the image is then sized in em, so that it follows its text.
SIZE = 20.0
MARGIN = 1.0


@cache
def math(latex: str, spoken: str, display: bool = False) -> Markup:
    """Return an `<img>` of the formula, on the text's baseline, or on a line of its own.

    `spoken` is the formula as a person would read it aloud: it becomes the alternative text.
    """
    # Imported late: it loads a font, and most programs that import this package draw no formula.
    import ziamath

    if not spoken.strip():
        raise ReportError(f"formula {latex!r} has no spoken form: give spoken='…'")
    if any(ord(character) < ord(" ") for character in latex):
        # A template's string turns the \f of \frac into a form feed.
        raise ReportError(f"formula {latex!r} lost a backslash: write two in a template, \\\\frac")
    try:
        formula = ziamath.Latex(latex, size=SIZE, inline=not display, margin=MARGIN)
        svg = formula.svg()
        width, height = formula.getsize()
        below = formula.getyofst()
    except Exception as error:  # ziamath and latex2mathml raise whatever they stumble over
        raise ReportError(f"formula {latex!r} cannot be drawn: {error}") from error
    source = data_uri("image/svg+xml", svg.encode())
    style = (
        f"width:{(width + 2 * MARGIN) / SIZE:.4f}em;height:{(height + 2 * MARGIN) / SIZE:.4f}em;"
        f"vertical-align:{(below - MARGIN) / SIZE:.4f}em"
    )
    image = Markup('<img class="math" alt="{}" style="{}" src="{}">').format(spoken, style, source)
    return Markup('<p class="formula">{}</p>').format(image) if display else image
