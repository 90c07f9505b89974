"""Curves whose points are saved one by one, so that a killed job resumes where it was."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from labs.files import write_text
from labs.records.observations import Observations
from labs.records.rows import KINDS

Case = dict[str, Any]
Observe = Callable[[Observations, Case], None]


def follow(
    cases: Sequence[Case], observe: Observe, process: int, partial: Path, identity: str
) -> Observations:
    """Observe every case, one after the other; return all observations, in order.

    A finished case's rows are added to the file ``partial``.  Cases in that file are not observed
    again if its ``identity`` (of settings, inputs and code) is the same.  The caller deletes the
    file once the record is written.
    """
    done = _read(partial, identity)
    for number, case in enumerate(cases, start=1):
        if not any(case == known for known, _ in done):
            print(f"point {number} of {len(cases)}: {_spoken(case)}", file=sys.stderr, flush=True)
            seen = Observations(process)
            observe(seen, case)
            done.append([case, {kind: getattr(seen, kind) for kind in KINDS}])
            write_text(partial, json.dumps({"identity": identity, "points": done}) + "\n")
    everything = Observations(process)
    for case in cases:
        rows = next(rows for known, rows in done if known == case)
        for kind in KINDS:
            getattr(everything, kind).extend(rows[kind])
    return everything


def _read(partial: Path, identity: str) -> list[Any]:
    """Return the points of a partial curve; none if the file is damaged or of another curve."""
    try:
        found = json.loads(partial.read_text(encoding="utf-8"))
        points: list[Any] = found["points"] if found["identity"] == identity else []
    except FileNotFoundError:
        return []
    except (ValueError, KeyError, TypeError):
        points = []
    if points:
        print(f"{partial}: {len(points)} points already done", file=sys.stderr)
    else:
        print(f"{partial} is of another curve: starting again", file=sys.stderr)
    return points


def _spoken(case: Case) -> str:
    return ", ".join(f"{key} {value}" for key, value in case.items())
