"""The style sheets of the report as one self-contained text."""

import mimetypes
import re
from pathlib import Path

from reporting import ReportError
from reporting.data_uri import data_uri

LOCAL_URL = re.compile(r"""url\((["']?)(?!data:|#)([^"')]+)\1\)""")


def stylesheet(style: Path, fonts: Path) -> str:
    """Return the style sheets of a folder, sorted by name, with fonts and images embedded.

    Raises `ReportError` if there is no style sheet, or a file that one names is missing.
    """

    def inlined(match: re.Match[str]) -> str:
        name = Path(match[2]).name
        found = next(
            (folder / name for folder in (fonts, style) if (folder / name).is_file()), None
        )
        if found is None:
            raise ReportError(
                f"a style sheet names {match[2]!r}, which is in neither {fonts} nor {style}"
            )
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return f'url("{data_uri(kind, found.read_bytes())}")'

    sheets = sorted(style.glob("*.css"))
    if not sheets:
        raise ReportError(f"there is no style sheet in {style}")
    return "\n".join(LOCAL_URL.sub(inlined, sheet.read_text(encoding="utf-8")) for sheet in sheets)
