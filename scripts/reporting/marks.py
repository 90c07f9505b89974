"""Marks that macros leave in HTML, as comments, and the pure functions that read and replace them.

A macro knows neither the number of the table that it prints nor what reads its sentences. So it
leaves marks, which are read once the answer, or the document, is complete.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from markupsafe import Markup, escape

from reporting import ReportError

NUMBER = re.compile(r"<!--number:(table|figure):(.*?)-->")
REFERENCE = re.compile(r"<!--ref:(table|figure):(.*?)-->")
ID = re.compile(r' id="(table|figure)-([^"]*)"')
SENTENCE = re.compile(r"<!--sentence:(.*?)-->(.*?)<!--/sentence-->", re.DOTALL)
CLAIM = re.compile(r"<!--claim:(.*?)-->")


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


def sentence(claim: str, text: str) -> Markup:
    """Mark a sentence as what an answer says of the claim with this id."""
    return Markup(f"<!--sentence:{claim}-->{escape(text)}<!--/sentence-->")


def shown(claim: str) -> Markup:
    """Mark that an answer shows the claim with this id, beside who has published otherwise."""
    return Markup(f"<!--claim:{claim}-->")


@dataclass(frozen=True)
class Text:
    """A rendered template: its HTML, the first sentence on each claim by the claim's id, and the
    ids of the claims that it shows, in order.
    """

    html: Markup
    sentences: Mapping[str, Markup]
    claims: tuple[str, ...]

    @classmethod
    def read(cls, marked: str) -> "Text":
        """Return the text of HTML with marks of sentences and claims."""
        claims = tuple(dict.fromkeys(CLAIM.findall(marked)))
        html = CLAIM.sub("", marked)
        pairs = reversed(SENTENCE.findall(html))
        sentences = {claim: Markup(said) for claim, said in pairs}
        return cls(Markup(SENTENCE.sub(r"\2", html)), sentences, claims)


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
        number = numbers.get((kind, name))
        if number is None and complete:
            raise ReportError(f"ref('{kind}:{name}'): the report shows no such {kind}")
        if number is None:
            return f"a {kind} that this draft lacks"
        return f'<a class="ref" href="#{kind}-{name}">{kind.capitalize()}\u00a0{number}</a>'

    html = NUMBER.sub(lambda match: str(numbers[match[1], match[2]]), html)
    return REFERENCE.sub(link, html)
