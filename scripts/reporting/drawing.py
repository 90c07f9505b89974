"""Drawings as inline SVG, so that their text stays text, in the document's fonts."""

import base64
import re
import xml.etree.ElementTree as ET

from markupsafe import Markup

from reporting import ReportError

SVG = "http://www.w3.org/2000/svg"
XLINK = "http://www.w3.org/1999/xlink"
# The document's fonts as drawings name the first, and as the style sheet does. To the PDF renderer,
# a space after a comma belongs to a name.
FONT = ("'IBM Plex Sans'", "'Report Sans','Report Serif','Report Mono'")
REFERENCE = re.compile(r"#([\w.-]+)")
DRAWING = re.compile(r"<svg [^>]*>\s*<title>(.*?)</title>.*?</svg>", re.DOTALL)


def data_uri(kind: str, data: bytes) -> str:
    """Return a file as a data URI of MIME type `kind`."""
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def inline(name: str, svg: bytes, alt: str) -> Markup:
    """Return the `<svg>` of a drawing, with its alternative text and with ids prefixed by its name.

    Raises `ReportError` if the file is not SVG.
    """
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        raise ReportError(f"the figure {name!r} is not an SVG file: {error}") from error
    if root.tag != f"{{{SVG}}}svg":
        raise ReportError(f"the figure {name!r} is not an SVG file: it holds a {root.tag}")
    for metadata in root.findall(f"{{{SVG}}}metadata"):
        root.remove(metadata)
    _localize(root, name)
    root.set("role", "img")
    title = ET.Element(f"{{{SVG}}}title")
    title.text = alt
    root.insert(0, title)
    # HTML knows SVG's elements only without a prefix. Prefixes are registered per process, and
    # other libraries register theirs.
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", XLINK)
    return Markup(ET.tostring(root, encoding="unicode"))


def as_images(html: str) -> str:
    """Replace every drawing that `inline` returned by an `<img>`.

    The PDF renderer would otherwise style each line of a drawing like an element of the document,
    which takes longer than drawing it.
    """

    def image(match: re.Match[str]) -> Markup:
        alt = Markup(match[1]).unescape()
        source = data_uri("image/svg+xml", match[0].encode())
        return Markup('<img alt="{}" src="{}">').format(alt, source)

    return DRAWING.sub(image, html)


def _localize(root: ET.Element, name: str) -> None:
    """Give a drawing the document's font and unique ids; drop ids that nothing refers to."""
    ids = {element.get("id") for element in root.iter()}
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = ids.intersection(id for value in values for id in REFERENCE.findall(value))

    def prefixed(match: re.Match[str]) -> str:
        return f"#{name}-{match[1]}" if match[1] in used else match[0]

    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        for key, value in element.attrib.items():
            reference = REFERENCE.sub(prefixed, value).replace(*FONT)
            element.set(key, f"{name}-{value}" if key == "id" else reference)
