"""What differs between the accepted run and another: around it, verdicts, numbers and drawings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from labs.comparison import ComparisonError, numbers
from labs.comparison.around import ALL_FILES, CODE, KINDS, RECORD, Facts
from labs.comparison.numbers import Numbers
from labs.comparison.run import Run

Claim = Mapping[str, Any]

NOTHING = "–"
"""What stands where one of the runs has nothing."""


@dataclass(frozen=True)
class Change:
    """A fact around the runs that differs, in the same way for the records ``where`` it does."""

    kind: str
    what: str
    old: str
    new: str
    where: tuple[str, ...]


@dataclass(frozen=True)
class Items:
    """Figures or tables by name: how many are the same, and which differ, are new or are gone."""

    same: int
    differing: list[str]
    new: list[str]
    gone: list[str]


@dataclass(frozen=True)
class Verdict:
    """A claim whose verdict changed; ``moved`` says whether its number did, if that was tested."""

    old: Claim
    new: Claim
    moved: bool | None


@dataclass(frozen=True)
class Changes:
    """All that differs; ``kept`` counts the verdicts that are the same."""

    around: list[Change]
    verdicts: list[Verdict]
    kept: int
    new: list[Claim]
    gone: list[Claim]
    numbers: Numbers
    figures: Items
    tables: Items

    @property
    def is_empty(self) -> bool:
        """Return whether nothing at all differs."""
        found = self.numbers
        of_claims = [*self.verdicts, *self.new, *self.gone]
        of_numbers = [*found.moved, *found.differing, *found.not_compared, *found.new, *found.gone]
        of_files = [
            name
            for items in (self.figures, self.tables)
            for name in (*items.differing, *items.new, *items.gone)
        ]
        return not (self.around or of_claims or of_numbers or of_files)


def changes(old: Run, new: Run) -> Changes:
    """Return what differs. Raises ComparisonError where the values of a run cannot be read."""
    claims = [
        {(claim["machine"], claim["id"]): claim for claim in run.claims} for run in (old, new)
    ]
    before, after = claims
    both = [(before[key], after[key]) for key in after if key in before]
    same = {path for path, when in old.finished.items() if new.finished.get(path) == when}
    values = numbers.compare(_values(old), _values(new), frozenset(same))
    return Changes(
        around=differences(old.around, new.around),
        verdicts=[
            Verdict(first, second, _moved(second, values))
            for first, second in both
            if first["verdict"] != second["verdict"]
        ],
        kept=sum(first["verdict"] == second["verdict"] for first, second in both),
        new=[after[key] for key in after if key not in before],
        gone=[before[key] for key in before if key not in after],
        numbers=values,
        figures=items(old.figures, new.figures),
        tables=items(old.tables, new.tables),
    )


def differences(old: Mapping[str, Facts], new: Mapping[str, Facts]) -> list[Change]:
    """Return the facts that differ, by kind; what differs alike in several records is one.

    Of a record that only one run has, that is all that is said.
    """
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for name in dict.fromkeys([*old, *new]):
        is_alone = name not in old or name not in new
        for kind in [RECORD] if is_alone and RECORD in {**old, **new}[name] else KINDS:
            before, after = (run.get(name, {}).get(kind, {}) for run in (old, new))
            for what in _compared(kind, before, after):
                texts = before.get(what, NOTHING), after.get(what, NOTHING)
                if texts[0] != texts[1]:
                    found.setdefault((kind, what, *texts), []).append(name)
    made = [Change(*key, tuple(where)) for key, where in found.items()]
    return sorted(made, key=lambda change: (KINDS.index(change.kind), change.what))


def items(old: Mapping[str, Any], new: Mapping[str, Any]) -> Items:
    """Return which named things are the same to the byte, and which are not."""
    both = sorted(old.keys() & new.keys())
    differing = [name for name in both if old[name] != new[name]]
    return Items(
        same=len(both) - len(differing),
        differing=differing,
        new=sorted(new.keys() - old.keys()),
        gone=sorted(old.keys() - new.keys()),
    )


def _compared(kind: str, before: Mapping[str, str], after: Mapping[str, str]) -> Iterable[str]:
    """Return the names of the facts to compare.

    Of code these are the files where they are known in both runs, else the digest of all.
    """
    both = dict.fromkeys([*before, *after])
    if kind != CODE:
        return both
    has_files = all(facts.keys() != {ALL_FILES} for facts in (before, after))
    return [what for what in both if (what != ALL_FILES) == has_files]


def _moved(claim: Claim, values: Numbers) -> bool | None:
    """Return whether the value that a claim was judged on moved; None if none was tested."""
    evidence = (claim["evidence"], claim["estimate"], *(claim["interval"] or ()))
    names = {pair.name for pair in values.tested if _evidence(pair.new) == evidence}
    return bool(names & {pair.name for pair in values.moved}) if names else None


def _evidence(number: numbers.Number) -> tuple[str | float, ...]:
    return (number.evidence, *number.plain)


def _values(run: Run) -> dict[str, numbers.Number]:
    try:
        return numbers.numbers(run.tables["values"])
    except (KeyError, ValueError) as error:
        raise ComparisonError(
            f"the values of the run of {run.taken} cannot be read ({error}): "
            "run make report, then make accept"
        ) from error
