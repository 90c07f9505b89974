"""Curves whose points are kept one by one, so that a killed job resumes where it was."""

import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from labs.records.observations import Observations
from labs.records.rows import KINDS
from labs.studies.evaluations import Evaluation, Evaluations

Case = dict[str, Any]
Observe = Callable[[Observations, Case], None]


def follow(
    cases: Sequence[Case], observe: Observe, process: int, points: Path, identity: str
) -> Observations:
    """Observe every case, one after the other; return all observations, in order.

    Each case's rows are kept in the folder ``points``, which the caller deletes once the record is
    written. A case that it holds is not observed again if its ``identity`` (of settings, inputs and
    code) is the same.
    """
    seen, kept = Observations(process), Evaluations(points)
    for number, case in enumerate(cases, start=1):
        words = ", ".join(f"{key} {value}" for key, value in case.items())
        print(f"point {number} of {len(cases)}: {words}", file=sys.stderr, flush=True)
        decided_by = {"identity": identity, "case": case}
        rows = kept.get(decided_by, partial(_rows, case, observe, process))
        for kind in KINDS:
            getattr(seen, kind).extend(rows[kind])
    return seen


def _rows(case: Case, observe: Observe, process: int) -> Evaluation:
    seen = Observations(process)
    observe(seen, case)
    return {kind: getattr(seen, kind) for kind in KINDS}
