"""The numbers of tables and figures, and the links to them.

A macro does not know the number of the table that it prints. It leaves a mark, a comment, and marks
are replaced when the document is complete.
"""

import re
from collections import Counter
from itertools import count

from markupsafe import Markup

from reporting import ReportError

NUMBER = re.compile(r"<!--number:(table|figure):(.*?)-->")
REFERENCE = re.compile(r"<!--ref:(table|figure):(.*?)-->")
ID = re.compile(r' id="(table|figure)-([^"]*)"')


def caption_number(kind: str, name: str) -> Markup:
    """Mark the place of a table's or figure's number."""
    return Markup("<!--number:{}:{}-->").format(kind, name)


def ref(target: str, *parts: str) -> Markup:
    """Mark the place of a link such as `Table 3` to `table:<id>` or `figure:<id>`.

    Further parts of the id, such as a device, are joined to it by underscores.
    """
    kind, _, name = "_".join((target, *parts)).partition(":")
    if kind not in ("table", "figure") or not name:
        raise ReportError(f"ref({target!r}): write 'table:<name>' or 'figure:<name>'")
    return Markup("<!--ref:{}:{}-->").format(kind, name)


def numbered(html: str, complete: bool = True) -> str:
    """Return a document whose tables and figures are numbered in order of appearance, with links.

    Raises `ReportError` for an id that two have, and for a reference to what is not shown, which is
    named without a link if the document is not `complete`.
    """
    for (kind, name), times in Counter(ID.findall(html)).items():
        if times > 1:
            raise ReportError(f"{kind} {name!r} is shown twice: give the second one its own id")
    counters = {"table": count(1), "figure": count(1)}
    numbers = {mark: next(counters[mark[0]]) for mark in dict.fromkeys(NUMBER.findall(html))}

    def link(match: re.Match[str]) -> str:
        kind, name = match.groups()
        if match.groups() in numbers:
            words = f"{kind.capitalize()}\u00a0{numbers[kind, name]}"
            return f'<a class="ref" href="#{kind}-{name}">{words}</a>'
        if complete:
            raise ReportError(f"ref('{kind}:{name}'): the report shows no such {kind}")
        return f"a {kind} that this draft lacks"

    html = NUMBER.sub(lambda match: str(numbers[match[1], match[2]]), html)
    return REFERENCE.sub(link, html)
