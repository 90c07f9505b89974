"""What the structure of a PDF holds: the elements that assistive technology reads."""

from collections.abc import Iterator
from typing import Any

import pikepdf


def elements(node: Any) -> Iterator[Any]:
    """The structure elements below a node, in order."""
    kids = node.get("/K")
    for kid in kids if isinstance(kids, pikepdf.Array) else [kids]:
        if isinstance(kid, pikepdf.Dictionary) and "/S" in kid:
            yield kid
            yield from elements(kid)


def of_kind(document: pikepdf.Pdf, *kinds: str) -> list[Any]:
    """The elements of some kinds, in order."""
    return [found for found in elements(document.Root.StructTreeRoot) if found.S in kinds]
