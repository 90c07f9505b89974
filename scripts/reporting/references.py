"""The numbers of tables and figures, and the links that refer to them."""

import re

from markupsafe import Markup, escape

from reporting import ReportError

MARK = re.compile(r"<!--ref:(table|figure):([^>]*?)-->")


class References:
    """Numbers tables and figures in order of appearance."""

    def __init__(self, complete: bool) -> None:
        # A draft may lack what a reference leads to.
        self.complete = complete
        self.numbers: dict[tuple[str, str], int] = {}

    def caption_number(self, kind: str, name: str) -> int:
        """Return the next number of a table or figure. Raises `ReportError` if it has one."""
        if (kind, name) in self.numbers:
            raise ReportError(f"{kind} {name!r} is shown twice: give the second one its own id")
        self.numbers[kind, name] = 1 + sum(known == kind for known, _ in self.numbers)
        return self.numbers[kind, name]

    def ref(self, target: str, *parts: str) -> Markup:
        """Return a link such as `Table 3` to `table:<id>` or `figure:<id>`, shown so far or not.

        Further parts of the id, such as a device, are joined to it by underscores.
        """
        kind, _, name = "_".join((target, *parts)).partition(":")
        if kind not in ("table", "figure") or not name:
            raise ReportError(f"ref({target!r}): write 'table:<name>' or 'figure:<name>'")
        # The number may not be known yet: `resolve` inserts it when the document is complete.
        return Markup(f"<!--ref:{kind}:{escape(name)}-->")

    def resolve(self, html: str) -> str:
        """Replace the marks left by `ref` with links; raises `ReportError` for unknown targets.

        What a draft lacks is named without a link.
        """

        def link(match: re.Match[str]) -> str:
            kind, name = match.groups()
            if (kind, name) not in self.numbers and not self.complete:
                return f"a {kind} that this draft lacks"
            if (kind, name) not in self.numbers:
                raise ReportError(f"ref('{kind}:{name}'): the report shows no such {kind}")
            number = self.numbers[kind, name]
            return f'<a class="ref" href="#{kind}-{name}">{kind.capitalize()}\u00a0{number}</a>'

        return MARK.sub(link, html)
