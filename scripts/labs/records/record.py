"""Records: what one experiment measured on one device, as a JSON file."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from labs.files import write_text
from labs.records.rows import KINDS, Rows

MEASURED = "measured"
NOT_MEASURED = "not measured: "
DRAFT = "missing in this draft. "
"""What the reason of a record begins with that stands in for a missing one."""

# What a record says of its machine where there is no answer.
NOT_REPORTED = "not reported"
"""The system was asked and did not tell."""

NOT_RECORDED = "not recorded"
"""An older version of this project did not ask."""

OWN, SHARED, UNKNOWN, NO_CLUSTER = "its own", "shared", "unknown", "no cluster"
"""Whether a job had its node of a cluster for itself."""

Record = dict[str, Any]


def measured(
    experiment: str,
    device: str,
    spec: dict[str, Any],
    environment: dict[str, Any],
    started: str,
    processes: Sequence[Rows],
    loads: list[dict[str, Any]],
    evaluations: Iterable[str] = (),
) -> Record:
    """Return the record of an experiment that ran; ``processes`` holds each one's rows.

    It rests on these ``evaluations``, by their names in results/studies.
    """
    return {
        **_head(experiment, device, MEASURED),
        "spec": spec,
        "environment": environment,
        "started": started,
        "finished": now(),
        "loads": loads,
        "evaluations": sorted(evaluations),
        **{kind: [row for rows in processes for row in rows[kind]] for kind in KINDS},
    }


def not_measured(experiment: str, device: str, reason: str) -> Record:
    """Return the record of an experiment that could not run here, with the reason."""
    return _head(experiment, device, NOT_MEASURED + reason)


def _head(experiment: str, device: str, status: str) -> Record:
    return {"experiment": experiment, "device": device, "status": status}


def now() -> str:
    """Return the current UTC time as ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def digest_of(record: Record) -> str:
    """Return the SHA-256 of all that a record holds but its digest."""
    content = {name: value for name, value in record.items() if name != "digest"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def write(record: Record, path: Path) -> None:
    """Write a record atomically, with its digest, by which an edit is noticed."""
    whole = {**record, "digest": digest_of(record)}
    write_text(path, json.dumps(whole, indent=1, allow_nan=False) + "\n")
