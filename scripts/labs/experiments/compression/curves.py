"""Curves whose points are kept one by one, so that no job makes a point that another has made."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from labs.records.observations import Observations
from labs.records.rows import Case
from labs.studies.evaluations import Evaluation, Evaluations

Observe = Callable[[Observations, Case], None]


def follow(
    seen: Observations, cases: Sequence[Case], observe: Observe, studies: Path, identity: str
) -> None:
    """Add to ``seen`` what is observed in every case, one after the other.

    Each case's rows are kept in the folder ``studies``. A case that it holds is not observed again
    if its ``identity`` (of settings, inputs and code) is the same.
    """
    kept = Evaluations(studies / "evaluations")
    for number, case in enumerate(cases, start=1):
        words = ", ".join(f"{key} {value}" for key, value in case.items())
        print(f"point {number} of {len(cases)}: {words}", file=sys.stderr, flush=True)
        decided_by = {"identity": identity, "case": case}
        rows = kept.get(decided_by, partial(_rows, case, observe, seen.process))
        seen.add(rows)


def _rows(case: Case, observe: Observe, process: int) -> Evaluation:
    seen = Observations(process)
    observe(seen, case)
    return dict(seen.rows)
