"""All claims of a set of records."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from labs.analysis import published
from labs.analysis.frame import processes
from labs.analysis.timing import needed
from labs.claims.claim import Claim, Rule
from labs.claims.conditions import held
from labs.records.reading import RecordError, read, using
from labs.records.record import MEASURED, NOT_MEASURED, Record
from labs.setup.discovery import modules


@cache
def rules() -> Mapping[str, Sequence[Callable[[Record], list[Rule]]]]:
    """Return what is asserted, by experiment: functions that return how claims are judged."""
    found = defaultdict(list)
    for module in modules("claims"):
        found[module.EXPERIMENT].append(module.rules)
    return found


def judge(path: Path, root: Path, machine: str) -> list[dict[str, Any]]:
    """Return the claims that one record decides, as objects of claims.json.

    ``evidence`` is the path from ``root``, also where folders on the way are links.  Raises
    RecordError for a bad record, or one of an experiment that no claims are about.
    """
    record = read(path)
    if record["experiment"] not in rules():
        raise RecordError(f"{path}: no claims are about the experiment {record['experiment']}")
    evidence = Path(os.path.relpath(path, root)).as_posix()
    with using(path):
        rows = [claim.as_row(machine, evidence) | _others(claim) for claim in claims_of(record)]
        # Numbers in a record may be so large that what is computed from them is none.
        json.dumps(rows, allow_nan=False)
    return rows


def _others(claim: Claim) -> dict[str, Any]:
    """Return the published statements that a claim contradicts, and those made at other sizes."""
    statements = {name: published.conditions(name) for name in claim.speaks_against}
    contradicts, other_sizes = held(claim.conditions, statements)
    return {"contradicts": contradicts, "other_sizes": other_sizes}


def claims_of(record: Record) -> list[Claim]:
    """Return a claim for each rule; a record of an absent device gives its reason instead."""
    made = [rule for make in rules()[record["experiment"]] for rule in make(record)]
    if record["status"] == MEASURED:
        return [_with_reason(rule(), _lacking(record)) for rule in made]
    # A draft's further lines are how logs end.
    reason = record["status"].removeprefix(NOT_MEASURED).split("\n")[0]
    return [rule.statement.not_measured(reason) for rule in made]


def _with_reason(claim: Claim, lacking: str) -> Claim:
    """Return a claim about times that is undecided for no reason of its own with what it lacks."""
    undecided = claim.verdict == "undecided" and claim.unit == "ratio"
    return replace(claim, reason=lacking) if undecided and not claim.reason else claim


def _lacking(record: Record) -> str:
    """Return that the budget ended before every ratio had its processes, or nothing."""
    run, asked = int(processes(record).estimate.value), needed(record)
    if asked is None or asked <= run:
        return ""
    return f"the budget ended after {run} processes; the job's widest spread asked for {asked}"
