"""Text as HTML: plain text, and sentences with placeholders for values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import nan

from markupsafe import Markup, escape

from labs.records.quantity import Quantity
from reporting import ReportError

# `{name}`, `{.name}` or `{name:point}`, without the interval; other braces, as in {5, 50}, stay.
PLACEHOLDER = re.compile(r"\{(\.?[A-Za-z][\w.\-]*)(?::(\w+))?\}")


@dataclass(frozen=True)
class Start:
    """A prefix of value names, and the short names that sentences may use with it.

    In a sentence, `{.speedup}` is the value `<name>.speedup`. `{model}` is the text that `short`
    gives for `model`; if it gives a start instead, `{model}` is the value of that name, and
    `{model.speedup}` continues it. Any other `{name}` is the full name of a value.
    """

    name: str
    short: Mapping[str, str | Start]

    def __str__(self) -> str:
        return self.name


def start(*parts: str | Start, **short: str | Start) -> Start:
    """Return the start whose name is the parts joined by dots."""
    return Start(joined(*parts), short)


def joined(*parts: str | Start) -> str:
    """Return the name with these parts: `joined("lora", "time")` is `lora.time`."""
    return ".".join(map(str, parts))


def fill(value: Callable[[str], Quantity], sentence: str, at: str | Start = "") -> Markup:
    """Return HTML with every placeholder replaced by its text, or by its value from `value`.

    Raises `ReportError` for a part other than point.
    """
    at = at if isinstance(at, Start) else start(at)

    def replacement(match: re.Match[str]) -> str:
        name, part = match.groups()
        head, dot, rest = name.partition(".")
        begin = at.short.get(head) if head else at
        if isinstance(begin, str) and match[0] == f"{{{head}}}":
            return escape(begin)
        if part not in (None, "point"):
            raise ReportError(f"{match[0]}: only {{{name}}} and {{{name}:point}} are known")
        quantity = value(name if begin is None else f"{begin}{dot}{rest}")
        return escape(alone(quantity) if part else quantity)

    return Markup(PLACEHOLDER.sub(replacement, str(sentence)))


def alone(quantity: Quantity) -> str:
    """Return a point without its interval: shares, which are compared, with as many digits each."""
    is_share = quantity.unit == "share"
    return (replace(quantity, low=nan, high=nan) if is_share else quantity).point


def words(plain: str) -> Markup:
    """Return plain text as HTML in which backticks mark code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(plain.strip()))))


def paragraphs(plain: str) -> Markup:
    """Return plain text as paragraphs, split at empty lines; backticks mark code."""
    return Markup("\n").join(
        Markup("<p>{}</p>").format(words(paragraph)) for paragraph in plain.strip().split("\n\n")
    )
