"""What differs between two runs, as lines for a terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import shorten

from labs.claims.claim import Claim
from labs.records.quantity import Quantity, counted
from labs.setup.machines import THIS
from reporting.comparison import changes
from reporting.comparison.changes import DIFFERS, GONE, MOVED, NEW, NOISE, NOT_COMPARED, NOTHING
from reporting.comparison.run import MACHINE, SAMPLES, Run
from reporting.evidence import Table
from reporting.reading import read_values

Row = tuple[str, str, str, str]
"""What differs, what it was, what it is, and a note."""

HARDWARE = ("machine", "processor", "host", "memory_bytes, memory_limited_by", "vector_extensions")
WIDTH = 160
"""How long a line is at most."""


def sections(old: Run, new: Run) -> dict[str, Sequence[Row]]:
    """Return all that differs, by kind. Raises ReportError where values cannot be read."""
    around = changes.differences(old, new)
    before, after = changes.values(old), changes.values(new)
    was, now = (read_values(Path("values.csv"), Table((), tuple(run.values))) for run in (old, new))
    same = dict(old.facts[SAMPLES].items() & new.facts[SAMPLES].items())
    change = changes.compare(before, after, same)["change"]
    moved, differing, others = (
        [_value(str(name), kind, was, now) for name, kind in change.items() if kind in kinds]
        for kinds in ([MOVED], [DIFFERS], [NEW, GONE, NOT_COMPARED])
    )
    claims = [
        _claim(first, second, changes.became(second, after, change) if second else "")
        for first, second in changes.claims(old, new)
    ]
    unlike = any(what in HARDWARE and where == MACHINE for what, *_, where in around)
    noise = "the noise of one machine, where the machines differ" if unlike else "their noise"
    still = sum(change == NOISE)
    return {
        "Differences around the numbers": around,
        "Claims that changed their verdict, are new or are gone": claims,
        f"Values that moved beyond {noise} ({still} stayed within)": moved,
        "Values without noise, or of the same samples, that differ": differing,
        "Values that are new, gone or not compared": others,
    }


def lines(old: Run, new: Run, differences: Mapping[str, Sequence[Row]]) -> str:
    """Return what the terminal shows: all that differs, by kind, with its number."""
    shown = [f"Measured until {new.measured}; the accepted run, until {old.measured}"]
    shown += [] if any(differences.values()) else ["Nothing changed."]
    for title, rows in differences.items():
        shown.append(f"{title}: {len(rows)}")
        for what, was, now, note in rows:
            line = shorten(f"{what}: {was} -> {now} ({note})", WIDTH, placeholder=" …")
            shown.append(f"  {line}")
    return "\n".join(shown)


def _value(name: str, kind: str, was: Mapping[str, Quantity], now: Mapping[str, Quantity]) -> Row:
    """Return a value's row; the note is what became of it, or the factor by which it moved."""
    old, new = was.get(name), now.get(name)
    if old and new and kind == MOVED and new.unit in changes.LOGARITHMIC:
        kind = counted(new.value / old.value, "ratio").point
    return name, str(old or NOTHING), str(new or NOTHING), kind


def _claim(old: Claim | None, new: Claim | None, number: str) -> Row:
    """Return a claim's row; the note is what became of its number, and what it states."""
    was, now = (
        f"{claim.verdict} {claim.estimate.as_gain() if claim.estimate else ''}".rstrip()
        if claim
        else NOTHING
        for claim in (old, new)
    )
    claim = new or old
    assert claim
    name = claim.id if claim.machine == THIS else f"{claim.id} ({claim.machine})"
    return name, was, now, f"{number}: {claim.statement}".removeprefix(": ")
