"""One record from the records of an experiment's parts, each measured by its own job."""

from collections.abc import Sequence
from typing import Any

from labs.records.reading import RecordError
from labs.records.record import Record
from labs.records.rows import KINDS


def gathered(parts: Sequence[Record]) -> Record:
    """Return one record from the records of an experiment's parts.

    Raises RecordError for parts of different experiments or devices.
    """
    heads = {(part["experiment"], part["device"], part["status"]) for part in parts}
    if len(heads) != 1:
        raise RecordError(f"these parts do not belong together: {sorted(heads)}")
    experiment, device, status = heads.pop()
    return {
        "experiment": experiment,
        "device": device,
        "status": status,
        "spec": _settings([part["spec"] for part in parts]),
        "environment": _environment([part["environment"] for part in parts]),
        "started": min(part["started"] for part in parts),
        "finished": max(part["finished"] for part in parts),
        "loads": [load for part in parts for load in part["loads"]],
        **{kind: [row for part in parts for row in part[kind]] for kind in KINDS},
    }


def _different(mappings: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Return each key's distinct values, in order of appearance."""
    found: dict[str, list[Any]] = {}
    for mapping in mappings:
        for key, value in mapping.items():
            if value not in found.setdefault(key, []):
                found[key].append(value)
    return found


def _settings(specs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return each setting's value where all parts agree, else the list of its values."""
    return {
        key: values[0] if len(values) == 1 else values for key, values in _different(specs).items()
    }


def _environment(environments: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one environment: where parts differ, all strings, and the largest of numbers."""
    return {key: _as_one(values) for key, values in _different(environments).items()}


def _as_one(values: list[Any]) -> Any:
    if len(values) == 1:
        return values[0]
    if all(isinstance(value, dict) for value in values):
        return _environment(values)
    if all(isinstance(value, int | float) for value in values):
        return max(values)
    return "; ".join(map(str, values))
