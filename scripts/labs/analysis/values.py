"""The values of a record: quantities, whose names are built here, and only here.

A module of values returns a tree of what it observed by columns, such as number format, arm and
quantity; the path to a value, joined by dots, is its name: attention.cpu.float16.fused.speedup.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from labs.records.quantity import Quantity

Part = str | int
Tree = Mapping[Any, "Quantity | Tree"]
"""Values by the parts of their names; one that has others below it stands there as ""."""


@dataclass(frozen=True)
class Values:
    """Values of a record, by the parts of their names behind a prefix: values["fused", "speedup"].

    A part may hold several, joined by dots, as a name that is written out does; a dot between two
    digits is a decimal point.
    """

    by_name: Mapping[str, Quantity]
    prefix: str = ""

    def __getitem__(self, parts: Part | tuple[Part, ...]) -> Quantity:
        return self.by_name[self._name(parts)]

    def __contains__(self, parts: Part | tuple[Part, ...]) -> bool:
        return self._name(parts) in self.by_name

    def below(self, *parts: Part) -> "Values":
        """Return the values whose names go on behind these parts."""
        return Values(self.by_name, self._name(parts))

    def _name(self, parts: Part | tuple[Part, ...]) -> str:
        name = joined(*(parts if isinstance(parts, tuple) else (parts,)))
        return ".".join(filter(None, (self.prefix, name)))


def named(tree: Tree, *prefix: Part) -> Iterator[tuple[str, Quantity]]:
    """Yield each value of a tree with its name, which begins with a prefix."""
    for part, found in tree.items():
        if isinstance(found, Quantity):
            yield joined(*prefix, part), found
        else:
            yield from named(found, *prefix, part)


def joined(*parts: Part) -> str:
    """Return the name of these parts: "eval+no_grad" becomes "eval-no_grad" in it."""
    return ".".join(slug(str(part)) for part in parts if part != "")


def slug(words: str) -> str:
    """Return words as one part of a value's name, or several where dots stand between words.

    "eval+no_grad" becomes "eval-no_grad", and "lambda 0.01" becomes "lambda-0-01".
    """
    return re.sub(r"[^\w.]+|(?<=\d)\.(?=\d)", "-", words)
