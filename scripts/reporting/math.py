"""Formulas as images that look the same in a browser and a PDF, with alternative text."""

from functools import cache
from typing import Any

from markupsafe import Markup

from reporting import ReportError
from reporting.drawing import data_uri

# The formula is laid out in these units; the image is sized in em, so that it scales with the text.
SIZE = 20.0
MARGIN = 1.0


@cache
def math(latex: str, spoken: str, display: bool = False) -> Markup:
    """Return an `<img>` of the formula, on the text's baseline or, if `display`, on its own line.

    The formula is in the part of LaTeX that matplotlib's mathtext knows. `spoken` is the formula as
    read aloud, and becomes the alternative text. Raises `ReportError` if it is empty, or if the
    formula cannot be drawn.
    """
    if not spoken.strip():
        raise ReportError(f"formula {latex!r} has no spoken form: give spoken='…'")
    if any(ord(character) < ord(" ") for character in latex):
        # In a template's string, the \f of \frac is a form feed.
        raise ReportError(f"formula {latex!r} lost a backslash: write two in a template, \\\\frac")
    path = _outline(latex.replace(r"\frac", r"\dfrac") if display else latex)
    letters = {path.MOVETO: "M", path.LINETO: "L", path.CURVE3: "Q", path.CURVE4: "C"}
    commands = "".join(
        "Z" if code == path.CLOSEPOLY else letters[code] + " ".join(f"{x:.2f}" for x in points)
        for points, code in path.iter_segments(curves=True, simplify=False)
    )
    left, bottom, width, height = path.get_extents().padded(MARGIN).bounds
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" '
        f'viewBox="{left:.2f} {-bottom - height:.2f} {width:.2f} {height:.2f}">'
        f'<path transform="scale(1,-1)" d="{commands}"/></svg>'
    )
    style = (
        f"width:{width / SIZE:.4f}em;height:{height / SIZE:.4f}em;"
        f"vertical-align:{bottom / SIZE:.4f}em"
    )
    source = data_uri("image/svg+xml", svg.encode())
    image = Markup('<img class="math" alt="{}" style="{}" src="{}">').format(spoken, style, source)
    return Markup('<p class="formula">{}</p>').format(image) if display else image


def _outline(latex: str) -> Any:
    """Return the outlines of a formula's glyphs, its baseline at zero."""
    # Imported late: they load fonts, and most importers of this package draw no formula.
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    try:
        return TextPath((0, 0), f"${latex}$", SIZE, prop=FontProperties(math_fontfamily="stix"))
    except ValueError as error:
        raise ReportError(f"formula {latex!r} cannot be drawn: {error}") from error
