"""The kinds of values that settings have: each in words and as a test."""

import reprlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from labs.setup.faults import UNFIT, Fault, Path, wrong


@dataclass(frozen=True)
class Kind:
    """A kind of single values, as in "allowed: a whole number" or "a list of different words"."""

    allowed: str
    allows: Callable[[Any], bool]
    several: str = ""

    def faults(self, value: Any, path: Path) -> Iterator[Fault]:
        """Yield a fault unless the value is allowed."""
        if not self.allows(value):
            yield wrong(value, path, self.allowed)

    def coerce(self, value: Any) -> Any:
        """Return the number that a text spells where that is allowed and the text is not."""
        if self.allows(value) or not isinstance(value, str):
            return value
        return next((one for one in _spelled(value) if self.allows(one)), value)


@dataclass(frozen=True)
class Listing:
    """A kind of lists: the kind of their items, and a test of the list as a whole."""

    allowed: str
    item: Kind
    allows: Callable[[list[Any]], bool]
    ascending: bool = False

    def faults(self, value: Any, path: Path) -> Iterator[Fault]:
        """Yield the fault of the whole; without one, those of the items; else that of the order."""
        if not isinstance(value, list) or not self.allows(value):
            yield wrong(value, path, self.allowed)
        elif faults := [
            fault for i, item in enumerate(value) for fault in self.item.faults(item, (*path, i))
        ]:
            yield from faults
        elif self.ascending and value != sorted(value):
            ordered = f"the same in ascending order, {reprlib.repr(sorted(value))}"
            yield wrong(value, path, ordered, UNFIT)

    def coerce(self, value: Any) -> Any:
        """Return the list with each text that spells an allowed number as that number."""
        return [self.item.coerce(item) for item in value] if isinstance(value, list) else value


def different(item: Kind) -> Listing:
    """Return the kind of the lists of one or more different values."""

    def are_different(items: list[Any]) -> bool:
        allowed = [value for value in items if item.allows(value)]
        return len(items) > 0 and all(allowed.index(v) == i for i, v in enumerate(allowed))

    return Listing(f"a list of different {item.several}", item, are_different)


def ascending(item: Kind) -> Listing:
    """Return the kind of the lists of one or more different values, the least first."""
    lists = different(item)
    return replace(lists, allowed=f"{lists.allowed}, in ascending order", ascending=True)


def list_of(length: int, item: Kind, which: str) -> Listing:
    """Return the kind of the lists of two to four values; which says what each of them is."""
    count = {2: "two", 3: "three", 4: "four"}[length]
    return Listing(f"{count} {item.several}{which}", item, lambda items: len(items) == length)


def up_to_four(item: Kind, which: str) -> Listing:
    """Return the kind of the lists of one to four values; which says what each of them is."""
    return Listing(f"one to four {item.several}{which}", item, lambda items: 1 <= len(items) <= 4)


def one_of(*values: Any) -> Kind:
    """Return the kind of these values, words or lists of words."""
    words = [f"[{', '.join(value)}]" if isinstance(value, list) else value for value in values]
    return Kind(
        listed(words, "or"), lambda value: value in values, f"ones among {listed(words, 'and')}"
    )


def whole(low: int, high: int, of: str = "") -> Kind:
    """Return the kind of the whole numbers from low to high; neither 5.0 nor true is one."""
    span = f"{of and ' of '}{of} from {low} to {high}"
    return Kind(
        f"a whole number{span}",
        lambda value: is_whole(value) and low <= value <= high,
        f"whole numbers{span}",
    )


def number(span: str, holds: Callable[[float], bool]) -> Kind:
    """Return the kind of the numbers in a span, given in words and as a test that NaN fails."""
    return Kind(f"a number {span}", lambda v: _is_number(v) and holds(v), f"numbers {span}")


def all_or(kind: Kind) -> Kind:
    """Return the kind of the word all and of the values of another kind."""
    return Kind(f"all, or {kind.allowed}", lambda value: value == "all" or kind.allows(value))


def text(allowed: str) -> Kind:
    """Return the kind of texts that are not empty."""
    return Kind(allowed, lambda value: isinstance(value, str) and value != "")


def listed(words: Iterable[str], conjunction: str) -> str:
    """Return words as a sentence lists them: a, b and c."""
    *others, last = words
    return f"{', '.join(others)} {conjunction} {last}" if others else last


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number, which neither 5.0 nor true is."""
    return isinstance(value, int) and not isinstance(value, bool)


def _spelled(text: str) -> Iterator[float]:
    """Yield the numbers that a text may be read as."""
    for read in (float, int):
        with suppress(ValueError):
            yield read(text)


def _is_number(value: Any) -> bool:
    return is_whole(value) or isinstance(value, float)
