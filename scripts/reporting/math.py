"""Formulas as images that look the same in a browser and a PDF, with alternative text."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from reporting import ReportError
from reporting.data_uri import data_uri

# ziamath lays out in these units; the image is sized in em, so that it scales with the text.
SIZE = 20.0
MARGIN = 1.0


@cache
def math(latex: str, spoken: str, display: bool = False) -> Markup:
    """Return an `<img>` of the formula, on the text's baseline or, if `display`, on its own line.

    `spoken` is the formula as read aloud, and becomes the alternative text. Raises `ReportError`
    if it is empty, or if the formula cannot be drawn.
    """
    # Imported late: it loads a font, and most importers of this package draw no formula.
    import ziamath

    if not spoken.strip():
        raise ReportError(f"formula {latex!r} has no spoken form: give spoken='…'")
    if any(ord(character) < ord(" ") for character in latex):
        # In a template's string, the \f of \frac is a form feed.
        raise ReportError(f"formula {latex!r} lost a backslash: write two in a template, \\\\frac")
    try:
        formula = ziamath.Latex(latex, size=SIZE, inline=not display, margin=MARGIN)
        svg = formula.svg()
        width, height = formula.getsize()
        below = formula.getyofst()
    except Exception as error:  # ziamath and latex2mathml raise errors of any type
        raise ReportError(f"formula {latex!r} cannot be drawn: {error}") from error
    source = data_uri("image/svg+xml", svg.encode())
    style = (
        f"width:{(width + 2 * MARGIN) / SIZE:.4f}em;height:{(height + 2 * MARGIN) / SIZE:.4f}em;"
        f"vertical-align:{(below - MARGIN) / SIZE:.4f}em"
    )
    image = Markup('<img class="math" alt="{}" style="{}" src="{}">').format(spoken, style, source)
    return Markup('<p class="formula">{}</p>').format(image) if display else image
