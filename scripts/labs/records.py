"""Records: one JSON file an experiment and device, checked by ``workflow/schemas/record``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from labs.files import write_text
from labs.rows import KINDS, Row

MEASURED = "measured"
NOT_MEASURED = "not measured: "
SCHEMA = Path(__file__).parents[2] / "workflow" / "schemas" / "record.schema.yaml"

Record = dict[str, Any]


class RecordError(ValueError):
    """A record that cannot be trusted; the message names the file and the field."""


def measured(
    experiment: str,
    subject: str,
    device: str,
    spec: dict[str, Any],
    environment: dict[str, Any],
    started: str,
    processes: Iterable[dict[str, list[Row]]],
    loads: list[Row],
) -> Record:
    """Return the record of an experiment that ran; ``processes`` are the rows each one observed."""
    rows: dict[str, list[Row]] = {kind: [] for kind in KINDS}
    for observed in processes:
        for kind in KINDS:
            rows[kind] += observed[kind]
    return {
        **_head(experiment, subject, device, MEASURED),
        "spec": spec,
        "environment": environment,
        "started": started,
        "finished": now(),
        "loads": loads,
        **rows,
    }


def gathered(parts: Sequence[Record], subject: str) -> Record:
    """Return one record of an experiment whose parts were recorded by jobs of their own.

    Raises RecordError for parts of different experiments or devices.
    """
    heads = {(part["experiment"], part["device"], part["status"]) for part in parts}
    if len(heads) != 1:
        raise RecordError(f"these parts do not belong together: {sorted(heads)}")
    experiment, device, status = heads.pop()
    return {
        **_head(experiment, subject, device, status),
        "spec": _settings([part["spec"] for part in parts]),
        "environment": _environment([part["environment"] for part in parts]),
        "started": min(part["started"] for part in parts),
        "finished": max(part["finished"] for part in parts),
        "loads": [load for part in parts for load in part["loads"]],
        **{kind: [row for part in parts for row in part[kind]] for kind in KINDS},
    }


def _different(mappings: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return the different values of each key, in the order in which they come."""
    found: dict[str, list[Any]] = {}
    for mapping in mappings:
        for key, value in mapping.items():
            if value not in found.setdefault(key, []):
                found[key].append(value)
    return found


def _settings(specs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what was asked: one value where all parts agree, else the list of all."""
    return {
        key: values[0] if len(values) == 1 else values for key, values in _different(specs).items()
    }


def _environment(environments: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return where it ran: all names where machines differ, and the largest of their numbers."""
    return {key: _as_one(values) for key, values in _different(environments).items()}


def _as_one(values: list[Any]) -> Any:
    if len(values) == 1:
        return values[0]
    if all(isinstance(value, dict) for value in values):
        return _environment(values)
    if all(isinstance(value, int | float) for value in values):
        return max(values)
    return "; ".join(map(str, values))


def not_measured(experiment: str, subject: str, device: str, reason: str) -> Record:
    """Return the record of an experiment that could not run here, with the reason."""
    return _head(experiment, subject, device, NOT_MEASURED + reason)


def _head(experiment: str, subject: str, device: str, status: str) -> Record:
    return {"experiment": experiment, "subject": subject, "device": device, "status": status}


def now() -> str:
    """Return the present time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def write(record: Record, path: Path) -> None:
    """Write a record atomically."""
    write_text(path, json.dumps(record, indent=1, allow_nan=False) + "\n")


def read(path: Path) -> Record:
    """Return the record of a file; raise RecordError that names the file and the bad field."""
    import jsonschema

    try:
        record: Record = json.loads(path.read_text())
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise RecordError(
            f"{path}: is not JSON ({error}); delete it to have it measured anew"
        ) from error
    problem = jsonschema.exceptions.best_match(_validator().iter_errors(record))
    if problem is not None:
        field = ".".join(str(part) for part in problem.absolute_path) or "the record"
        raise RecordError(
            f"{path}: field {field}: {problem.message[:300]}; "
            "delete the file to have it measured anew"
        )
    return record


@cache
def _validator() -> Any:
    import jsonschema

    return jsonschema.Draft202012Validator(yaml.safe_load(SCHEMA.read_text()))
