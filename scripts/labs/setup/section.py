"""Settings and sections of settings: what they mean, and what is wrong with the values given."""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from labs.setup.faults import MISSING, UNFIT, UNKNOWN, Fault, Path, dotted, wrong
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

    def coerce(self, value: Any) -> Any:
        """Return the value with numbers that are written as text turned into numbers."""
        return self.kind.coerce(value)


class Section:
    """Keys that must all be given, and no others; each is an argument with _ for its hyphens.

    ``path`` is the section's place in a preset, as mxint8.linear; "": the preset itself.
    ``must_contain`` maps keys of lists to what each must hold: a number, or another key's value.
    """

    def __init__(
        self,
        meaning: str,
        path: str = "",
        must_contain: Mapping[str, Any] | None = None,
        /,
        **keys: Setting | Section,
    ) -> None:
        self.meaning, self.path = meaning, path
        self.keys = {name.replace("_", "-"): key for name, key in keys.items()}
        self._must_contain = must_contain or {}

    def only(self, *names: str) -> Section:
        """Return the part of the section that has these keys, as a job reads it."""
        return Section(self.meaning, self.path, **{name: self.keys[name] for name in names})

    def without(self, *names: str) -> Section:
        """Return the section without these keys."""
        return self.only(*(key for key in self.keys if key not in names))

    def values(self, preset: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a preset sets the keys of this section to."""
        for name in filter(None, self.path.split(".")):
            preset = preset[name]
        return {key: preset[key] for key in self.keys}

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

    def coerce(self, value: Any) -> Any:
        """Return the section with numbers that are written as text turned into numbers."""
        if not isinstance(value, dict):
            return value
        return {
            key: self.keys[key].coerce(one) if key in self.keys else one
            for key, one in value.items()
        }

    def _faults_of_keys(self, value: Mapping[Any, Any], path: Path) -> Iterator[Fault]:
        if unknown := value.keys() - self.keys:
            key = min(unknown, key=str)
            close = difflib.get_close_matches(str(key), self.keys, n=1)
            hint = f"did you mean {close[0]}? " if close else ""
            text = f"{dotted((*path, key))} (given as {reprlib.repr(value[key])}) is no known key; "
            yield Fault(UNKNOWN, path, f"{text}{hint}allowed: {', '.join(self.keys)}")
        if missing := [key for key in self.keys if key not in value]:
            key = missing[0]
            text = f"{dotted((*path, key))} is missing; allowed: {self.keys[key].allowed}"
            yield Fault(MISSING, path, text)

    def _unfit(self, value: Mapping[Any, Any], path: Path) -> Iterator[Fault]:
        for key, held in self._must_contain.items():
            needed = value[held] if isinstance(held, str) else held
            if needed not in value[key]:
                allowed = f"a list that holds {needed}, which the others are compared with"
                yield wrong(value[key], (*path, key), allowed, UNFIT)


class Settings:
    """Base of the dataclasses whose fields are the keys of a section of config.yaml.

    A field is a ``setting``, or a ``subsection``.  The docstring is the section's meaning.
    """

    path: ClassVar[str] = ""
    must_contain: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def section(cls) -> Section:
        """Return the section."""
        keys = {key.name: key.metadata["key"] for key in fields(cls)}  # type: ignore[arg-type]
        return Section((cls.__doc__ or "").rstrip("."), cls.path, cls.must_contain, **keys)


def setting(kind: Kind | Listing, meaning: str, unit: str = "") -> Any:
    """Return the field of a setting."""
    return field(metadata={"key": Setting(kind, meaning, unit)})


def subsection(settings: type[Settings]) -> Any:
    """Return the field of a section within another."""
    return field(metadata={"key": settings.section()})
