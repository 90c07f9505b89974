"""Records: what one experiment measured on one device, as a JSON file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labs.files import write_text
from labs.records.rows import KINDS, Row

MEASURED = "measured"
NOT_MEASURED = "not measured: "

Record = dict[str, Any]


def measured(
    experiment: str,
    device: str,
    spec: dict[str, Any],
    environment: dict[str, Any],
    started: str,
    processes: Iterable[dict[str, list[Row]]],
    loads: list[Row],
) -> Record:
    """Return the record of an experiment that ran; ``processes`` holds each one's rows."""
    rows: dict[str, list[Row]] = {kind: [] for kind in KINDS}
    for observed in processes:
        for kind in KINDS:
            rows[kind] += observed[kind]
    return {
        **_head(experiment, device, MEASURED),
        "spec": spec,
        "environment": environment,
        "started": started,
        "finished": now(),
        "loads": loads,
        **rows,
    }


def not_measured(experiment: str, device: str, reason: str) -> Record:
    """Return the record of an experiment that could not run here, with the reason."""
    return _head(experiment, device, NOT_MEASURED + reason)


def _head(experiment: str, device: str, status: str) -> Record:
    return {"experiment": experiment, "device": device, "status": status}


def now() -> str:
    """Return the current UTC time as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(record: Record, path: Path) -> None:
    """Write a record atomically."""
    write_text(path, json.dumps(record, indent=1, allow_nan=False) + "\n")
