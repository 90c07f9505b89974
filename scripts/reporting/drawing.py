"""A drawing as a part of the document, so that its text is text, in the document's own fonts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from markupsafe import Markup

from reporting import ReportError

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
# HTML knows the elements of SVG by these names alone.
ET.register_namespace("", SVG)
ET.register_namespace("xlink", XLINK)
# What drawings call the document's fonts, and what its style sheet calls them.
FONTS = {"'IBM Plex Sans'": "'Report Sans'"}
REFERENCE = re.compile(r"#([\w.-]+)")


def inline(name: str, svg: bytes, alt: str) -> Markup:
    """Return the `<svg>` of a drawing, which words stand for; its ids begin with its name.

    Raises `ReportError` for what is not an SVG file.
    """
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise ReportError(f"the figure {name!r} is not an SVG file: {error}") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ReportError(f"the figure {name!r} is not an SVG file: it holds a {root.tag}")
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    _rename_ids(root, name)
    _unfold_styles(root)
    root.set("role", "img")
    title = ET.Element(f"{{{SVG}}}title")
    title.text = alt
    root.insert(0, title)
    return Markup(ET.tostring(root, encoding="unicode"))


def _rename_ids(root: ET.Element, name: str) -> None:
    """Keep the ids that something in the drawing refers to, and make them the document's own."""
    ids = {element.get("id") for element in root.iter()}
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = ids.intersection(found for value in values for found in REFERENCE.findall(value))

    def own(found: re.Match[str]) -> str:
        return f"#{name}-{found[1]}" if found[1] in used else found[0]

    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        for key, value in element.attrib.items():
            element.set(key, f"{name}-{value}" if key == "id" else REFERENCE.sub(own, value))


def _unfold_styles(root: ET.Element) -> None:
    """Put attributes in the place of styles: the PDF's renderer reads those as the document's."""
    for element in root.iter():
        for declaration in filter(str.strip, element.attrib.pop("style", "").split(";")):
            key, value = declaration.split(":", 1)
            element.set(key.strip(), FONTS.get(value.strip(), value.strip()))
