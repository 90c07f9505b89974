"""All claims of a set of records."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from labs import records
from labs.claims import (
    attention,
    base,
    compilation,
    compression_speed,
    formats,
    graphs,
    linear_relu,
    loops,
    lora,
    mxint8,
    pruning,
    quantization,
    ranges,
    reviews,
)
from labs.claims.claim import Claim, Rule
from labs.records import MEASURED, NOT_MEASURED, Record

RULES: dict[str, list[Callable[[Record], list[Rule]]]] = {
    "data": [reviews.rules],
    "base": [base.rules],
    "loops": [loops.rules],
    "lora": [lora.rules],
    "compilation": [compilation.rules],
    "fusion": [attention.rules, linear_relu.rules],
    **mxint8.RULES,
    "graphs": [graphs.rules],
    "quantization": [quantization.rules],
    "pruning": [pruning.rules],
    "ranges": [ranges.rules],
    "formats": [formats.rules],
    "compression_speed": [compression_speed.rules],
}


def judge(path: Path, root: Path, machine: str) -> list[dict[str, Any]]:
    """Return the claims that one record decides, as objects of claims.json.

    ``evidence`` is the record's path from ``root``.  Raises RecordError for a bad record.
    """
    record = records.read(path)
    evidence = path.resolve().relative_to(root.resolve()).as_posix()
    return [claim.as_row(machine, evidence) for claim in claims_of(record)]


def claims_of(record: Record) -> list[Claim]:
    """Return a claim for each rule; a record of an absent device gives its reason instead."""
    rules = [rule for rules in RULES[record["experiment"]] for rule in rules(record)]
    if record["status"] == MEASURED:
        return [rule() for rule in rules]
    reason = record["status"].removeprefix(NOT_MEASURED)
    return [rule.statement.not_measured(reason) for rule in rules]
