"""Settings and sections of settings: what they mean, and what is wrong with the values given."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from labs.setup.faults import MISSING, UNFIT, UNKNOWN, Fault, Path, dotted, shown, word, wrong
from labs.setup.kinds import Kind, Listing, listed


@dataclass(frozen=True)
class Setting:
    """The kind of values that a key has, what they mean, and their unit, if they have one."""

    kind: Kind | Listing
    meaning: str
    unit: str = ""

    @property
    def allowed(self) -> str:
        """The words after "allowed: "."""
        return self.kind.allowed

    def faults(self, value: Any, path: Path) -> Iterator[Fault]:
        """Yield what is wrong with the value at path."""
        return self.kind.faults(value, path)

    def meant(self, value: Any) -> Any:
        """Return the value with each text that spells an allowed number as that number."""
        return self.kind.meant(value)


class Section:
    """Keys that must all be given, and no others; each is an argument with _ for its hyphens.

    holds maps the keys of lists to what each must hold: a number, or the value of another key.
    """

    def __init__(
        self, meaning: str, holds: Mapping[str, Any] | None = None, /, **keys: Setting | Section
    ) -> None:
        self.meaning = meaning
        self.keys = {name.replace("_", "-"): key for name, key in keys.items()}
        self._holds = holds or {}

    @property
    def allowed(self) -> str:
        """The words after "allowed: "."""
        return f"the keys {listed(self.keys, 'and')}"

    def faults(self, value: Any, path: Path) -> Iterator[Fault]:
        """Yield what is wrong with the keys of the section at path, and with their values."""
        if not isinstance(value, dict):
            yield wrong(value, path, self.allowed)
            return
        given = [key for key in self.keys if key in value]
        faults = [
            *self._faults_of_keys(value, path),
            *(fault for key in given for fault in self.keys[key].faults(value[key], (*path, key))),
        ]
        yield from faults or self._unfit(value, path)

    def meant(self, value: Any) -> Any:
        """Return the section with each text that spells an allowed number as that number."""
        if not isinstance(value, dict):
            return value
        return {
            key: self.keys[key].meant(one) if key in self.keys else one
            for key, one in value.items()
        }

    def _faults_of_keys(self, value: Mapping[Any, Any], path: Path) -> Iterator[Fault]:
        if unknown := value.keys() - self.keys:
            key = min(unknown, key=word)
            close = difflib.get_close_matches(word(key), self.keys, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            text = f"{dotted((*path, key))} (given as {shown(value[key])}) is no known key; "
            yield Fault(UNKNOWN, path, f"{text}{hint}allowed: {', '.join(self.keys)}")
        if missing := [key for key in self.keys if key not in value]:
            key = missing[0]
            text = f"{dotted((*path, key))} is missing; allowed: {self.keys[key].allowed}"
            yield Fault(MISSING, path, text)

    def _unfit(self, value: Mapping[Any, Any], path: Path) -> Iterator[Fault]:
        for key, held in self._holds.items():
            needed = value[held] if isinstance(held, str) else held
            if needed not in value[key]:
                allowed = f"a list that holds {needed}, which the others are compared with"
                yield wrong(value[key], (*path, key), allowed, UNFIT)
