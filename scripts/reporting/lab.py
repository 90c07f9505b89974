"""What the lab ran for each question, held against the presets and this run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from labs.setup.spelled import spelled

AS_THE_LAB = "as the lab"
LONGEST_LIST = 4
OTHER_SIZES = "not checked: other sizes"


@dataclass(frozen=True)
class Size:
    """A setting that decides an answer: its value in the lab, in each preset, and in this run."""

    setting: str
    lab: Any
    presets: Mapping[str, Any]
    here: Any

    @property
    def is_the_labs(self) -> bool:
        """Whether this run has the lab's value, or all of them where several can be chosen."""
        if isinstance(self.lab, list) and len(self.lab) < len(self.here):
            return set(self.lab) <= set(self.here)
        return bool(self.lab == self.here)


@dataclass(frozen=True)
class LabRun:
    """What the lab ran for a question, in words and sizes.

    `check` says whether the answer was checked at the lab's sizes where quick runs.
    """

    lab: str
    sizes: tuple[Size, ...]
    check: str

    @property
    def other(self) -> list[Size]:
        """The sizes that are not the lab's."""
        return [size for size in self.sizes if not size.is_the_labs]

    @property
    def same(self) -> list[Size]:
        """The sizes that are the lab's."""
        return [size for size in self.sizes if size.is_the_labs]

    @property
    def checked(self) -> str:
        """Whether this run checked the answer at the lab's sizes."""
        if self.sizes and not self.other:
            return AS_THE_LAB
        return OTHER_SIZES if self.check == AS_THE_LAB and self.other else self.check


NO_LAB = LabRun("", (), "")
"""Of a question that no lab asks."""


@dataclass(frozen=True)
class Lab:
    """What the lab ran, by the ids of questions, beside what the presets with these names run."""

    presets: tuple[str, ...]
    runs: Mapping[str, LabRun]

    def as_run(self, settings: Mapping[str, str]) -> Lab:
        """Return it with the sizes that were run where a job could not run what it was asked for.

        ``settings`` are those of the records; of such a size they have what was asked for as well:
        compilation.cpu.asked-batch-size beside compilation.cpu.batch-size.
        """
        ran = {}
        for setting, asked in settings.items():
            record, _, name = setting.rpartition(".asked-")
            if record and settings[f"{record}.{name}"] != asked:
                ran[f"{record.partition('.')[0]}.{name}"] = int(settings[f"{record}.{name}"])

        def as_run(run: LabRun) -> LabRun:
            sizes = (replace(size, here=ran.get(size.setting, size.here)) for size in run.sizes)
            return replace(run, sizes=tuple(sizes))

        return replace(self, runs={question: as_run(run) for question, run in self.runs.items()})


def shown(value: Any) -> str:
    """Return a setting's value for a reader; a long list, which ascends, by its ends."""
    if isinstance(value, list) and len(value) > LONGEST_LIST:
        return f"{len(value)} from {spelled(value[0])} to {spelled(value[-1])}"
    return spelled(value)
