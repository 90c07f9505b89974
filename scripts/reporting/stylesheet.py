"""The style sheets of the report as one self-contained text."""

import mimetypes
import re
from pathlib import Path

from fontTools.ttLib import TTFont

from reporting.drawing import data_uri

LOCAL_URL = re.compile(r"""url\((["']?)(?!data:|#)([^"')]+)\1\)""")

FACE = re.compile(r'@font-face \{ font-family: ("[^"]+")')
# A family of the report, which another one or a generic one follows.
LISTED = re.compile(r'("Report \w+"), ')


def stylesheet(style: Path, fonts: Path) -> str:
    """Return the style sheets of a folder, sorted by name, with fonts and images embedded."""

    def inlined(match: re.Match[str]) -> str:
        name = Path(match[2]).name
        file = fonts / name if (fonts / name).is_file() else style / name
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return f'url("{data_uri(kind, file.read_bytes())}")'

    sheets = (sheet.read_text(encoding="utf-8") for sheet in sorted(style.glob("*.css")))
    css = "\n".join(sheets)
    # What a font lacks is taken from the others before any font of the machine is.
    families = ", ".join(dict.fromkeys(FACE.findall(css)))
    return LOCAL_URL.sub(inlined, LISTED.sub(rf"\1, {families}, ", css))


def characters(fonts: Path) -> set[str]:
    """Return the characters that at least one of a folder's fonts has, and those between lines."""
    codes = (code for font in fonts.glob("*.ttf") for code in TTFont(font).getBestCmap())
    return {*map(chr, codes), "\n", "\t"}


def coded(text: str, known: set[str]) -> str:
    """Return a text with a code, as U+2717, in the place of every character that is not known."""
    return text.translate({code: f"U+{code:04X}" for code in map(ord, set(text) - known)})
