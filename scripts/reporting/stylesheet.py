"""The style sheets of the report as one self-contained text."""

import mimetypes
import re
from pathlib import Path

from reporting.data_uri import data_uri

LOCAL_URL = re.compile(r"""url\((["']?)(?!data:|#)([^"')]+)\1\)""")


def stylesheet(style: Path, fonts: Path) -> str:
    """Return the style sheets of a folder, sorted by name, with fonts and images embedded."""

    def inlined(match: re.Match[str]) -> str:
        name = Path(match[2]).name
        file = fonts / name if (fonts / name).is_file() else style / name
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return f'url("{data_uri(kind, file.read_bytes())}")'

    sheets = sorted(style.glob("*.css"))
    return "\n".join(LOCAL_URL.sub(inlined, sheet.read_text(encoding="utf-8")) for sheet in sheets)
