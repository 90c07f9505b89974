"""The table of all settings for a terminal: their values, meanings, units, and what is allowed."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from labs.setup.faults import Path, dotted
from labs.setup.section import Section, Setting
from labs.setup.settings import PRESETS, SETTINGS, SIZES
from labs.setup.spelled import spelled

KEY, VALUE = 37, 18
"""The widths of columns. With two spaces between them, a line has at most WIDTH characters."""
WIDTH = KEY + len(PRESETS) * (2 + VALUE)


def table(config: Mapping[str, Any]) -> str:
    """Return the table of a config that check allows: what holds for all presets, then the sizes.

    A setting has one row of values, and below it one or more of words.
    """
    general = {name: key for name, key in SETTINGS.keys.items() if name != "presets"}
    presets = config["presets"]
    return "\n".join(
        [
            *_row("key", "value"),
            *_rows(general, [config]),
            "",
            *_row("presets.*.", *presets),
            *_rows(SIZES.keys, list(presets.values())),
        ]
    )


def _rows(
    keys: Mapping[str, Setting | Section], given: Sequence[Mapping[str, Any]], path: Path = ()
) -> Iterator[str]:
    """Yield the lines of these keys, of which every mapping in given has a value."""
    for name, key in keys.items():
        place, values = (*path, name), [section[name] for section in given]
        if isinstance(key, Section):
            yield ""
            yield from _row(dotted(place), key.meaning)
            yield from _rows(key.keys, values, place)
        else:
            yield from _row(dotted(place), *map(_shown, values))
            yield from _row("", f"{key.meaning}; in {key.unit}" if key.unit else key.meaning)
            yield from _row("", f"allowed: {key.allowed}")


def _row(key: str, *cells: str) -> Iterator[str]:
    """Yield the lines of a row: one cell that has all the width beside the key, or several."""
    widths = [KEY, WIDTH - KEY - 2] if len(cells) == 1 else [KEY, *[VALUE] * len(cells)]
    columns = [
        textwrap.wrap(cell, width, break_long_words=False, break_on_hyphens=False)
        for cell, width in zip([key, *cells], widths, strict=True)
    ]
    for parts in zip_longest(*columns, fillvalue=""):
        padded = (part.ljust(width) for part, width in zip(parts, widths, strict=True))
        yield "  ".join(padded).rstrip()


def _shown(value: Any) -> str:
    """A value as config.yaml has it."""
    return f"[{spelled(value)}]" if isinstance(value, list) else spelled(value)
