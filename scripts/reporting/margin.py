"""Verdicts in the margin of a page, one below the other.

WeasyPrint puts all floats that begin in one line at that line's top, whatever `clear` says.
"""

import math
from collections.abc import Iterator
from typing import Any

from weasyprint import Document
from weasyprint.layout.background import layout_box_backgrounds


def separate(document: Document) -> None:
    """Move every verdict that another one of its page covers to below that one."""
    for page in (page._page_box for page in document.pages):
        end = -math.inf
        for box in sorted(_verdicts(page), key=lambda box: box.position_y):
            if box.position_y < end:
                box.translate(dy=end - box.position_y)
                # They know their places on the page; they have colours alone, and need no images.
                layout_box_backgrounds(page, box, get_image_from_uri=None)
            end = box.position_y + box.margin_height()


def _verdicts(box: Any) -> Iterator[Any]:
    """Yield the floating boxes of verdicts within a box, in the order of the document."""
    if box.element is not None and box.is_floated() and box.element.get("class") == "verdict":
        yield box
        return
    for child in getattr(box, "children", ()):
        yield from _verdicts(child)
